// The page as it is installed: whoever has only the installed files sees a run, and nothing is asked of anybody else.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { folder, open, serve, shows, talus, useProgram, writeScene } from './harness.js';

test('the installed page works, and needs no network', async () => {
  const prefix = join(folder, 'prefix');
  const installed = spawnSync('cmake', ['--install', dirname(process.env.TALUS_PROGRAM), '--prefix', prefix], { encoding: 'utf8' });
  assert.equal(installed.status, 0, installed.stderr);
  assert.ok(existsSync(join(prefix, 'share/talus/viewer/index.html')));
  useProgram(join(prefix, 'bin/talus'));
  talus('run', writeScene('flat.toml'), '--out', 'flat', '--quiet');
  const server = await serve('view', 'flat', '--port', '0', '--no-browser');
  const asked = [];
  const page = await open(server.url, {}, (early) => {
    early.on('request', (request) => asked.push(request.url()));
    early.on('websocket', (socket) => asked.push(socket.url().replace(/^ws:/, 'http:')));
  });
  await shows(page, 25);
  assert.ok(asked.some((url) => url.endsWith('/stream')) && asked.some((url) => url.endsWith('.js')), asked.join());
  assert.deepEqual(asked.filter((url) => !url.startsWith(server.url) && !/^(data|blob):/.test(url)), []);
  assert.deepEqual(page.faults, []);
  await page.close();
  assert.equal((await server.stop()).code, 0);
});
