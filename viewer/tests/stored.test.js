// `talus view DIR` in a real browser: what a run has stored is what the page shows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { exportedFrames, folder, loaded, manifest, open, serve, talus, writeScene } from './harness.js';

let server;
let frames;
let page;

before(async () => {
  talus('run', writeScene('flat.toml'), '--out', 'flat', '--quiet');
  frames = exportedFrames('flat');
  server = await serve('view', 'flat', '--port', '0', '--no-browser');
  page = await open(server.url);
  await loaded(page);
});

const shownStep = () => page.evaluate(() => window.talus.step);
const stepIs = (step) => page.waitForFunction((wanted) => window.talus.step === wanted, step);
const pixels = () => page.locator('#stage').screenshot();

test('the page loads without a complaint and shows every grain of the last frame', async () => {
  await stepIs(frames.at(-1).step);
  assert.equal(await page.evaluate(() => window.talus.spheres), frames.at(-1).grains.size);
  assert.equal(await page.textContent('#title'), 'flying grains');
  assert.match(await page.textContent('#facts'), /25 grains.*finished/);
  assert.deepEqual(page.faults, []);
});

test('the series has arrived in full', async () => {
  const rows = readFileSync(join(folder, 'flat', 'series.csv'), 'utf8').trim().split('\n').length - 1;
  await page.waitForFunction((wanted) => window.talus.rows === wanted, rows);
});

test('scrubbing changes the frame', async () => {
  for (const number of [0, 3, frames.length - 1]) {
    await page.locator('#time').fill(String(number));
    await stepIs(frames[number].step);
    assert.equal(await page.getAttribute('body', 'data-frame'), String(number));
  }
});

test('playing goes from frame to frame to the end', async () => {
  await page.locator('#time').fill('0');
  await stepIs(frames[0].step);
  await page.locator('#stage').press(' ');
  await stepIs(frames.at(-1).step);
  await page.waitForFunction(() => document.body.dataset.paused === 'true');
});

test('colour by speed changes pixels, and so does a held range', async () => {
  await page.selectOption('#field', 'radius');
  await page.waitForFunction(() => document.getElementById('legend-name').textContent === 'Radius');
  await page.waitForTimeout(300);
  const plain = await pixels();
  await page.selectOption('#field', 'speed');
  await page.waitForTimeout(300);
  const coloured = await pixels();
  assert.notDeepEqual(coloured, plain);
  await page.fill('#range-high', '100');
  await page.locator('#range-high').press('Enter');
  await page.waitForTimeout(300);
  assert.notDeepEqual(await pixels(), coloured);
  await page.click('#range-auto');
});

test('colour by material names the materials', async () => {
  await page.selectOption('#field', 'material');
  assert.deepEqual(await page.locator('#legend-kinds li').allTextContents(), ['grain', 'steel']);
  assert.equal(await page.locator('#legend-bar').isVisible(), false);
  await page.selectOption('#field', 'speed');
});

test('a click on a grain tells its number and its place', async () => {
  await page.locator('#stage').press('3');  // from the top nothing hides anything
  for (let i = 0; i < 4; ++i) await page.locator('#stage').press('-');  // nor does a panel
  const last = frames.at(-1);
  for (const id of [...last.grains.keys()].filter((_, i) => i % 8 === 0)) {
    const [x, y] = await page.evaluate((wanted) => window.talus.screenOf(wanted), id);
    await page.mouse.click(x, y);
    await page.waitForFunction((wanted) => document.getElementById('grain-id').textContent === String(wanted), id);
    const text = await page.locator('#grain dd[data-key=position]').textContent();
    const place = text.replace(' m', '').split(', ').map(Number);
    last.grains.get(id).forEach((c, k) => assert.ok(Math.abs(c - place[k]) <= 0.006 * Math.abs(c) + 1e-12, `${id}: ${text}`));
  }
  await page.locator('#stage').press('Escape');
  assert.ok(await page.locator('#grain').isHidden());
});

test('the cut plane and the walls change what is seen', async () => {
  const whole = await pixels();
  await page.locator('#stage').press('x');
  await page.waitForTimeout(200);
  const cut = await pixels();
  assert.notDeepEqual(cut, whole);
  await page.locator('#stage').press('x');
  await page.locator('#stage').press('w');
  await page.waitForTimeout(200);
  assert.notDeepEqual(await pixels(), whole);
  await page.locator('#stage').press('w');
});

test('force chains are drawn for contacts', async () => {
  await page.locator('#stage').press('f');
  await page.waitForFunction(() => document.getElementById('chains').checked);
  await page.locator('#stage').press('f');
  assert.deepEqual(page.faults, []);
});

test('a picture can be saved', async () => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
  assert.match(download.suggestedFilename(), /^flying_grains.*\.png$/);
  assert.deepEqual([...readFileSync(await download.path()).subarray(1, 4)].map((c) => String.fromCharCode(c)).join(''), 'PNG');
});

test('dark and light, the list of keys, and the phone', async () => {
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  await page.locator('#stage').press('t');
  assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
  await page.locator('#stage').press('?');
  assert.ok(await page.locator('#keys').isVisible());
  await page.keyboard.press('Escape');
  const phone = await open(server.url, { viewport: { width: 390, height: 760 } });
  await loaded(phone);
  assert.ok(await phone.locator('#panel').isHidden());
  assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(phone.faults, []);
  await phone.close();
});

test('everything can be reached with the keyboard', async () => {
  const reached = new Set();
  await page.locator('#stage').focus();
  for (let i = 0; i < 25; ++i) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id));
  }
  for (const id of ['field', 'walls', 'chains', 'cut', 'measure', 'play', 'step', 'speed', 'time', 'picture', 'theme', 'help']) {
    assert.ok(reached.has(id), `${id} is not reached`);
  }
});

test('looking changes nothing', async () => {
  const { status, changes } = manifest('flat');
  assert.equal(status, 'finished');
  assert.deepEqual(changes, []);
  assert.deepEqual(page.faults, []);
  assert.equal((await server.stop()).code, 0);
});
