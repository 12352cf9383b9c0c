// What must do no harm: pages of other origins, other names for this machine, wrong tokens, nonsense, idle crowds.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { before, test } from 'node:test';
import { loaded, open, serve, writeScene } from './harness.js';

let server;
let port;

before(async () => {
  writeScene('long.toml', { end: 1000, side: 3 });
  server = await serve('run', 'long.toml', '--out', 'long', '--view', '--view-port', '0', '--no-browser', '--quiet', '--threads', '1');
  port = Number(new URL(server.url).port);
});

/** Sends bytes as they are; what came back until the other side closed. */
function raw(bytes, to = port) {
  return new Promise((resolve) => {
    const socket = connect(to, '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('close', () => resolve(answer));
    socket.on('error', () => resolve(answer));
    socket.write(bytes);
  });
}

const request = (line, headers = {}, to = port) => raw(
  `${line} HTTP/1.1\r\n${Object.entries({ Host: `127.0.0.1:${to}`, Connection: 'close', ...headers }).map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`, to);
const status = (answer) => Number(answer.split(' ')[1]);
const upgrade = (headers = {}, path = '/stream', to = port) => request(`GET ${path}`, {
  Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==', ...headers }, to);

test('a page of another origin is refused', async () => {
  const other = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<!doctype html><title>evil</title>'));
  await new Promise((ready) => other.listen(0, '127.0.0.1', ready));
  const page = await open(`http://127.0.0.1:${other.address().port}/`);
  const opened = await page.evaluate((to) => new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${to}/stream`);
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  }), port);
  assert.equal(opened, false);
  const fetched = await page.evaluate((to) => fetch(`http://127.0.0.1:${to}/`).then(() => true, () => false), port);
  assert.equal(fetched, false);
  const framed = await page.evaluate((to) => new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.src = `http://127.0.0.1:${to}/`;
    frame.onload = () => resolve(frame.contentDocument === null ? 'closed' : 'open');
    document.body.append(frame);
  }), port);
  assert.equal(framed, 'closed');
  other.close();
});

test('origins and hosts are looked at', async () => {
  assert.equal(status(await upgrade({ Origin: 'http://evil.example' })), 403);
  assert.equal(status(await upgrade({})), 403);
  assert.equal(status(await upgrade({ Origin: 'null' })), 403);
  assert.equal(status(await upgrade({ Host: 'evil.example', Origin: 'http://evil.example' })), 421);
  assert.equal(status(await request('GET /', { Host: `evil.example:${port}` })), 421);
  assert.equal(status(await request('GET /', { Host: `localhost:${port}` })), 200);
  assert.equal(status(await request('GET /', { Host: 'localhost:9' })), 200);  // by way of a forwarded port
  assert.equal(status(await upgrade({ Host: 'localhost:9', Origin: `http://localhost:${port}` })), 403);
});

test('only what is in the table exists', async () => {
  for (const path of ['/../../../../etc/passwd', '/..%2f..%2fetc%2fpasswd', '/assets/../../manifest.json', '//etc/passwd', '/manifest.json', '/src/main.js']) {
    assert.equal(status(await request(`GET ${path}`)), 404, path);
  }
  assert.equal(status(await request('POST /')), 405);
  assert.equal(status(await request('GET /stream')), 426);
});

test('answers carry the rules that keep others out', async () => {
  const answer = await request('GET /');
  assert.equal(status(answer), 200);
  for (const rule of [/content-security-policy: default-src 'none'/i, /frame-ancestors 'none'/i, /x-content-type-options: nosniff/i]) {
    assert.match(answer, rule);
  }
});

test('malformed requests do no harm', async () => {
  for (const bytes of ['\0\0\0\0', 'GET', 'GET / HTTP/9.9\r\n\r\n', 'nonsense\r\n\r\n', `GET / HTTP/1.1\r\nHost: ${'x'.repeat(100000)}\r\n\r\n`,
    `GET /${'a'.repeat(100000)} HTTP/1.1\r\n\r\n`, 'GET / HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc']) {
    const answer = bytes === 'GET' ? '' : await raw(bytes);
    assert.ok(answer === '' || status(answer) >= 400, `${JSON.stringify(bytes.slice(0, 40))}: ${answer.slice(0, 80)}`);
  }
  assert.equal(status(await request('GET /')), 200);
});

test('nonsense on the stream ends that stream alone', async () => {
  const page = await open(server.url);
  await loaded(page);
  for (const text of ['{', '[]', '"look"', '{"type": 7}', '{"type":"look","field":7,"grain":"x","frame":1e300}', `{"type":"look","x":"${'y'.repeat(9000)}"}`,
    '{"type":"got"}', '{"type":"change","what":{"gravity":[1]}}', '{"type":"change"}', '{"type":"step","count":1e308}', '{"type":"resume"}', '{"type":"speed","factor":-1}']) {
    await page.evaluate(([to, message]) => new Promise((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${to}/stream`);
      socket.onopen = () => {
        socket.send(message);
        setTimeout(() => socket.close(), 60);
      };
      socket.onclose = resolve;
    }), [port, text]);
  }
  const then = await page.evaluate(() => window.talus.step);
  await page.waitForFunction((before) => window.talus.step > before, then);
  assert.ok(server.isRunning);
  await page.close();
});

test('100 idle connections do no harm', async () => {
  const idle = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(idle.map((socket) => new Promise((ready) => socket.once('connect', ready))));
  const page = await open(server.url);
  await loaded(page);
  const then = await page.evaluate(() => window.talus.step);
  await page.waitForFunction((before) => window.talus.step > before, then);
  idle.forEach((socket) => socket.destroy());
  await page.close();
});

test('a token is asked for where there is one', async () => {
  const guarded = await serve('run', 'long.toml', '--out', 'guarded', '--view', '--view-port', '0', '--view-token', '--no-browser', '--quiet', '--threads', '1');
  const to = Number(new URL(guarded.url).port);
  const token = /#token=([0-9a-f]{32})$/.exec(guarded.url)[1];
  const Origin = `http://127.0.0.1:${to}`;
  for (const path of ['/stream', '/stream?token=', `/stream?token=${'0'.repeat(32)}`, `/stream?x=${token}`]) {
    assert.equal(status(await upgrade({ Origin }, path, to)), 403, path);
  }
  const page = await open(guarded.url);
  await loaded(page);
  assert.deepEqual(page.faults, []);
  await page.close();
  assert.equal((await guarded.stop()).code, 4);
});

test('the run has not noticed', async () => {
  assert.equal((await server.stop()).code, 4);
});
