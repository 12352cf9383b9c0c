// Plain files under names that change with their content: the server reads them into a table and browsers keep them.
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,  // the page may load what is served, nothing written into it
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,  // three.js, from this very machine
  },
});
