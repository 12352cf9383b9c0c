// `talus run SCENE --view` in a real browser: watching, holding, stepping and changing a run that goes on.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loaded, manifest, nextPicture, open, serve, writeScene } from './harness.js';

let server;
let page;

before(async () => {
  writeScene('long.toml', { end: 1000, side: 6, layers: 2, frames: 0.05 });
  server = await serve('run', 'long.toml', '--out', 'long', '--view', '--view-port', '0', '--no-browser', '--quiet', '--threads', '1');
  page = await open(server.url);
  await loaded(page);
});

const step = () => page.evaluate(() => window.talus.step);
const beyond = (than) => page.waitForFunction((before) => window.talus.step > before, than);
/** As if another tab were in front of the page. */
const hide = (hidden) => page.evaluate((state) => {
  Object.defineProperty(document, 'hidden', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}, hidden);
const paused = (yes) => page.waitForFunction((wanted) => document.body.dataset.paused === wanted, String(yes));

test('the picture and the charts follow the run', async () => {
  const [then, rows] = await page.evaluate(() => [window.talus.step, window.talus.rows]);
  await beyond(then);
  await page.waitForFunction((before) => window.talus.rows > before, rows);
  assert.equal(await page.evaluate(() => window.talus.spheres), 72);
});

test('pause holds the clock, a single step is one step, and the run goes on', async () => {
  await page.locator('#stage').press(' ');
  await paused(true);
  await nextPicture(page, () => page.selectOption('#field', 'spin'));
  await nextPicture(page, () => page.selectOption('#field', 'mass'));  // the first may have been under way before
  const held = await step();
  await nextPicture(page, () => page.selectOption('#field', 'speed'));
  assert.equal(await step(), held);
  await page.click('#step');
  await beyond(held);
  assert.equal(await step(), held + 1);
  await page.click('#play');
  await paused(false);
  await beyond(held + 1);
});

test('the pace can be set, and pictures come all the same', async () => {
  await page.selectOption('#speed', '0.001');
  await page.waitForFunction(() => document.getElementById('speed').value === '0.001' && document.activeElement.id !== 'speed');
  // 0.001 simulated seconds a second are 50 steps a second; twice that leaves room for what was under way. The wish may
  // take some pictures to reach the run.
  let then = 0;
  let paced = false;
  for (let tries = 0; tries < 20 && !paced; ++tries) {
    await nextPicture(page);
    const at = Date.now();
    then = await step();
    for (let i = 0; i < 5; ++i) await nextPicture(page);
    const taken = (await step()) - then;
    assert.ok(taken > 0);
    paced = taken <= (0.1 * (Date.now() - at)) + 10;
  }
  assert.ok(paced);
  await page.locator('#stage').press('<');
  const shown = await page.evaluate(async () => {  // faster than the run tells of each: older paces do not come back
    const values = [];
    for (let i = 0; i < 6; ++i) {
      document.getElementById('stage').dispatchEvent(new KeyboardEvent('keydown', { key: '>', bubbles: true }));
      await new Promise((later) => setTimeout(later, 15));
      values.push(document.getElementById('speed').value);
    }
    return values;
  });
  assert.deepEqual(shown, ['0.01', '0.03', '0.1', '0.3', '1', '0']);
  await beyond(then + 1000);
});

test('stored frames can be looked at while the run waits', async () => {
  await page.waitForFunction(() => Number(document.body.dataset.frames) > 2);
  await page.locator('#time').fill('1');
  await page.waitForFunction(() => document.body.dataset.frame === '1');
  await paused(true);
  await page.locator('#stage').press('l');
  await paused(false);
  await page.waitForFunction(() => document.body.dataset.frame === '-1');
});

test('contacts, pressure and force chains of a run that goes on', async () => {
  for (const field of ['coordination', 'stress', 'force']) {
    await page.selectOption('#field', field);
    await beyond(await step());
  }
  await page.check('#chains');
  await beyond(await step());
  await page.uncheck('#chains');
  await page.selectOption('#field', 'speed');
});

test('a picked grain of a run that goes on tells its contacts and its pressure', async () => {
  await page.locator('#stage').press('n');
  for (const key of ['contacts', 'pressure', 'load']) await page.waitForSelector(`#grain dd[data-key=${key}]`);
  await page.locator('#stage').press('Escape');
});

test('a page that nobody sees asks for no pictures', async () => {
  await hide(true);
  const now = () => page.evaluate(() => [window.talus.pictures, window.talus.rows]);
  let [before, rows] = await now();
  let pictures = -1;
  for (let i = 0; i < 5 && pictures !== before; ++i) {  // one or two are under way
    if (pictures >= 0) before = pictures;
    await page.waitForFunction((than) => window.talus.rows !== than, rows);  // charts go on, some rows at a time
    [pictures, rows] = await now();
  }
  assert.equal(pictures, before);
  await nextPicture(page, () => hide(false));
});

test('a change is carried out and recorded, and a wrong one is refused in words', async () => {
  await page.fill('#change-gravity input[name=z]', '-1.5');
  await page.click('#change-gravity button');
  await page.waitForFunction(() => document.getElementById('log').textContent.includes('gravity set to [0,0,-1.5]'));
  await page.fill('#change-friction input[name=mu]', '-1');
  await page.click('#change-friction button');
  await page.waitForFunction(() => document.getElementById('log').textContent.includes('may not make it negative'));
  const { changes } = manifest('long');
  assert.equal(changes.length, 1);
  assert.deepEqual(changes[0].what, { gravity: [0, 0, -1.5] });
  assert.ok(changes[0].step > 0);
});

test('the motion of a wall and friction can be changed from the page too', async () => {
  const told = (text) => page.waitForFunction((wanted) => document.getElementById('log').textContent.includes(wanted), text);
  for (const [name, value] of Object.entries({ x: 0.02, y: 0, z: 0, spin: 0.5 })) await page.fill(`#change-wall input[name=${name}]`, String(value));
  await page.click('#change-wall button');
  await told('floor');
  await page.fill('#change-friction input[name=mu]', '0.45');
  await page.click('#change-friction button');
  await told('0.45');
  const { changes } = manifest('long');
  assert.equal(changes.length, 3);
  assert.deepEqual(changes[1].what, { wall: 'floor', velocity: [0.02, 0, 0], spin: 0.5 });
  assert.equal(changes[2].what.friction, 0.45);
  assert.ok(changes[0].step < changes[1].step && changes[1].step < changes[2].step);
});

test('a slow line gets fewer grains, and is told so', async () => {
  const { one_in: oneIn, grains, arrays } = await page.evaluate(() => new Promise((resolve) => {
    const slow = new WebSocket(`ws://${location.host}/stream`);
    slow.binaryType = 'arraybuffer';
    slow.onmessage = ({ data }) => {
      const length = new DataView(data).getUint32(0, true);
      const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
      if (header.type === 'picture') setTimeout(() => slow.send('{"type":"got"}'), 400);
      if (header.type === 'grains' && header.one_in > 1) {
        slow.close();
        resolve(header);
      }
    };
  }));
  assert.equal(oneIn, 2);
  assert.equal(grains, 72);
  assert.equal(arrays.find(({ name }) => name === 'id').count, 36);
});

test('a viewer who leaves does not stop the run', async () => {
  await hide(true);
  const other = await open(server.url);
  await loaded(other);
  await other.close();
  await hide(false);
  await beyond(await step());
  assert.deepEqual(page.faults, []);
});

test('the page comes back when the server does, as it was', async () => {
  const port = new URL(server.url).port;
  await page.locator('#stage').press('2');
  await page.fill('#range-high', '7');
  await nextPicture(page, () => page.locator('#range-high').press('Enter'));
  const camera = await page.evaluate(() => window.talus.camera);
  assert.equal((await server.stop()).code, 4);  // interrupted, saved
  await page.waitForFunction(() => /interrupted.*Talus has ended/.test(document.getElementById('notice').textContent));
  const before = await page.evaluate(() => window.talus.pictures);
  server = await serve('run', '--resume', 'long', '--view', '--view-port', port, '--no-browser', '--quiet', '--threads', '1');
  await page.waitForFunction((than) => window.talus.pictures > than + 1 && document.getElementById('notice').hidden, before);
  await beyond(await step());
  assert.deepEqual(await page.evaluate(() => window.talus.camera), camera);
  assert.equal(await page.inputValue('#range-high'), '7');
  assert.equal(manifest('long').changes.length, 3);
  await server.stop();
});
