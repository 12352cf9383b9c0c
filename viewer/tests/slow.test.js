// Viewers who are slow, stall or vanish: the run goes on, and a page with a slow line says so.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { folder, loaded, open, serve, writeScene } from './harness.js';

let server;
let port;
let page;

before(async () => {
  writeScene('long.toml', { end: 1000, side: 40, frames: 1 });
  server = await serve('run', 'long.toml', '--out', 'long', '--view', '--view-port', '0', '--no-browser', '--quiet', '--threads', '1');
  port = Number(new URL(server.url).port);
  page = await open(server.url);
  await loaded(page);
});

const goesOn = async (watched = page) => {
  const then = await watched.evaluate(() => window.talus.step);
  await watched.waitForFunction((than) => window.talus.step > than, then);
};
const rows = () => readFileSync(join(folder, 'long', 'series.csv'), 'utf8').split('\n').length;

/** A line to a server that carries the page as fast as it can, and the stream at so many bytes a second. */
function slowLine(port, rate) {
  const line = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let isStream = false;
    for (const socket of [near, far]) socket.on('error', () => {}).on('close', () => (near.destroy(), far.destroy()));
    near.on('data', (data) => {
      isStream ||= data.toString('latin1').startsWith('GET /stream');
      far.write(data);
    });
    far.on('data', (data) => {
      near.write(data);
      if (!isStream) return;
      far.pause();
      setTimeout(() => far.resume(), (1000 * data.length) / rate);
    });
  });
  return new Promise((ready) => line.listen(0, '127.0.0.1', () => ready(line)));
}

const slowWords = /^The line or the browser is slow: one grain in (\d+) is shown\.$/;

test('a page at the end of a slow line gets fewer grains, and says why', async () => {
  const line = await slowLine(port, 20000);  // a picture of all grains is 11 kB: half a second
  const slow = await open(`http://127.0.0.1:${line.address().port}/`);
  await slow.waitForFunction((source) => new RegExp(source).test(document.getElementById('notice').textContent), slowWords.source);
  const [words, shown] = await slow.evaluate(() => [document.getElementById('notice').textContent, window.talus.spheres]);
  assert.equal(shown, 1600 / Number(slowWords.exec(words)[1]), words);
  await goesOn(slow);
  assert.deepEqual(slow.faults, []);
  await slow.close();
  line.close();
});

test('viewers who never read, or are gone without a word, leave the run and other viewers alone', async () => {
  const request = `GET /stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nConnection: Upgrade\r\n`
    + 'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
  const stalled = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(stalled.map((socket) => new Promise((accepted) => {
    socket.once('data', (answer) => (assert.match(answer.toString('latin1'), /^HTTP\/1.1 101/), socket.pause(), accepted()));
    socket.write(request);
  })));
  for (let i = 0; i < 3; ++i) await goesOn();
  stalled.forEach((socket) => socket.resetAndDestroy());
  for (let i = 0; i < 3; ++i) await goesOn();
  assert.ok(server.isRunning);
});

test('a viewer who holds the run up and vanishes is not waited for for ever', async () => {
  await page.locator('#stage').press(' ');
  await page.waitForFunction(() => document.body.dataset.paused === 'true');
  await page.close();
  const then = rows();
  while (rows() <= then) await new Promise((later) => setTimeout(later, 200));  // it has ten seconds, and ctest an end
  page = await open(server.url);
  await loaded(page);
  assert.equal(await page.getAttribute('body', 'data-paused'), 'false');
  assert.deepEqual(page.faults, []);
  assert.equal((await server.stop()).code, 4);
});
