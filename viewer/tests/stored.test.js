// `talus view DIR` in a real browser: what a run has stored is what the page shows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { exportedFrames, folder, loaded, manifest, nextPicture, open, pixels, serve, shows, talus, writeScene } from './harness.js';

let server;
let frames;
let page;

before(async () => {
  talus('run', writeScene('flat.toml'), '--out', 'flat', '--quiet', '--set', 'materials.grain.colour="#20c040"');
  frames = exportedFrames('flat');
  server = await serve('view', 'flat', '--port', '0', '--no-browser');
  page = await open(server.url);
  await loaded(page);
});

const shownStep = () => page.evaluate(() => window.talus.step);
const stepIs = (step) => page.waitForFunction((wanted) => window.talus.step === wanted, step);

test('the page loads without a complaint and shows every grain of the last frame', async () => {
  await stepIs(frames.at(-1).step);
  await shows(page, frames.at(-1).grains.size);
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
  const settled = async () => {  // the ends of the colours have found their place
    let before;
    for (let now = await pixels(page); now !== before; now = await pixels(page)) {
      before = now;
      await page.evaluate(() => new Promise((done) => setTimeout(done, 60)));
    }
    return before;
  };
  await nextPicture(page, () => page.selectOption('#field', 'size'));
  assert.equal(await page.textContent('#legend-name'), 'Diameter');
  const plain = await settled();
  await nextPicture(page, () => page.selectOption('#field', 'speed'));
  const coloured = await settled();
  assert.notEqual(coloured, plain);
  await page.fill('#range-high', '100');
  await nextPicture(page, () => page.locator('#range-high').press('Enter'));
  assert.notEqual(await settled(), coloured);
  await nextPicture(page, () => page.locator('#stage').press('a'));
  assert.equal(await settled(), coloured);
});

test('colour by material names the materials, in their colours', async () => {
  await nextPicture(page, () => page.selectOption('#field', 'material'));
  assert.deepEqual(await page.locator('#legend-kinds li').allTextContents(), ['grain', 'steel']);
  assert.equal(await page.locator('#legend-bar').isVisible(), false);
  const dot = await page.locator('#legend-kinds canvas').first().evaluate((c) => [...c.getContext('2d').getImageData(0, 0, 1, 1).data]);
  assert.deepEqual(dot, [0x20, 0xc0, 0x40, 255]);
  await nextPicture(page, () => page.selectOption('#field', 'speed'));
});

test('a click on a grain tells its number and its place', async () => {
  await page.locator('#stage').press('3');  // from the top nothing hides anything
  for (let i = 0; i < 4; ++i) await page.locator('#stage').press('-');  // nor does a panel
  const last = frames.at(-1);
  for (const id of [...last.grains.keys()].filter((_, i) => i % 8 === 0)) {
    const [x, y] = await page.evaluate((wanted) => window.talus.screenOf(wanted), id);
    await page.mouse.click(x, y);
    await page.waitForFunction((wanted) => document.getElementById('grain-id').value === String(wanted), id);
    await page.waitForSelector('#grain dd[data-key=position]');
    const text = await page.locator('#grain dd[data-key=position]').textContent();
    const place = text.replace(' m', '').split(', ').map(Number);
    last.grains.get(id).forEach((c, k) => assert.ok(Math.abs(c - place[k]) <= 0.006 * Math.abs(c) + 1e-12, `${id}: ${text}`));
  }
  await page.locator('#stage').press('Escape');
  assert.equal(await page.inputValue('#grain-id'), '');
});

test('a grain can be picked without a pointer', async () => {
  const ids = [...frames.at(-1).grains.keys()].sort((a, b) => a - b);
  await page.locator('#stage').press('n');
  assert.equal(await page.inputValue('#grain-id'), String(ids[0]));
  await page.locator('#stage').press('n');
  assert.equal(await page.inputValue('#grain-id'), String(ids[1]));
  await page.locator('#stage').press('Shift+N');
  assert.equal(await page.inputValue('#grain-id'), String(ids[0]));
  await page.fill('#grain-id', String(ids[7]));
  await page.locator('#grain-id').press('Enter');
  const place = frames.at(-1).grains.get(ids[7]);
  await page.waitForFunction((x) => Math.abs(parseFloat(document.querySelector('#grain dd[data-key=position]')?.textContent) - x) < 0.01 * Math.abs(x) + 1e-9, place[0]);
  await page.fill('#grain-id', '123456');
  await page.locator('#grain-id').press('Enter');
  assert.equal(await page.getAttribute('#grain-id', 'aria-invalid'), 'true');
  await page.locator('#stage').press('Escape');
});

test('a drag from side to side goes round the upright axis', async () => {
  await page.locator('#stage').press('r');
  const before = await page.evaluate(() => window.talus.camera);
  await page.mouse.move(400, 300);
  await page.mouse.down();
  await page.mouse.move(560, 300, { steps: 4 });
  await page.mouse.up();
  const after = await page.evaluate(() => window.talus.camera);
  assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) > 0.1 * Math.hypot(...before));
  assert.ok(Math.abs(after[2] - before[2]) < 1e-6 * Math.hypot(...before), `${before} to ${after}`);
  await page.locator('#stage').press('Escape');
});

test('the cut plane, its other side and the walls change what is seen', async () => {
  const whole = await pixels(page);
  assert.equal(await pixels(page), whole);
  const press = async (key) => {
    await page.locator('#stage').press(key);
    return pixels(page);
  };
  const cut = await press('x');
  assert.notEqual(cut, whole);
  assert.notEqual(await press('v'), cut);
  assert.equal(await press('v'), cut);
  assert.equal(await press('x'), whole);
  assert.notEqual(await press('w'), whole);
  assert.equal(await press('w'), whole);
});

test('force chains are drawn for contacts', async () => {
  const before = await pixels(page);
  assert.ok(await page.locator('#legend-chains').isHidden());
  await nextPicture(page, () => page.locator('#stage').press('f'));
  assert.notEqual(await pixels(page), before);
  assert.ok(Number(await page.textContent('#chains-high')) > 0, 'the bar of forces has its end');
  await nextPicture(page, () => page.locator('#stage').press('f'));
  assert.ok(await page.locator('#legend-chains').isHidden());
  assert.equal(await pixels(page), before);
  assert.deepEqual(page.faults, []);
});

test('the ruler is not pulled back while somebody holds it, and the mark of the charts goes with the frame', async () => {
  await page.evaluate(() => {
    const time = document.getElementById('time');
    time.value = 2;
    time.dispatchEvent(new Event('input'));
  });
  await stepIs(frames[2].step);
  await page.evaluate(() => (document.getElementById('time').value = 5));  // held farther on, its picture not yet asked for
  await nextPicture(page, () => page.selectOption('#field', 'spin'));
  assert.equal(await page.inputValue('#time'), '5');
  await page.locator('#time').fill(String(frames.length - 1));
  await stepIs(frames.at(-1).step);
  await page.selectOption('#field', 'speed');
});

test('a picture can be saved', async () => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
  assert.match(download.suggestedFilename(), /^flying_grains.*\.png$/);
  assert.deepEqual([...readFileSync(await download.path()).subarray(1, 4)].map((c) => String.fromCharCode(c)).join(''), 'PNG');
});

test('a saved picture names the materials in their colours', async () => {
  await nextPicture(page, () => page.selectOption('#field', 'material'));
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
  const png = `data:image/png;base64,${readFileSync(await download.path()).toString('base64')}`;
  const dot = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const g = canvas.getContext('2d');
    g.drawImage(image, 0, 0);
    return [...g.getImageData(23, image.height - 45, 1, 1).data];  // the first of two
  }, png);
  assert.deepEqual(dot, [0x20, 0xc0, 0x40, 255]);
  await nextPicture(page, () => page.selectOption('#field', 'speed'));
});

test('what there is to see is put into the free part of the page', async () => {
  await page.locator('#stage').press('r');
  await pixels(page);  // the camera is where the last drawing had it
  const { spots, right, bottom } = await page.evaluate((ids) => ({
    spots: ids.map((id) => window.talus.screenOf(id)),
    right: document.getElementById('panel').getBoundingClientRect().left,
    bottom: document.getElementById('transport').getBoundingClientRect().top,
  }), [...frames.at(-1).grains.keys()]);
  const [xs, ys] = [0, 1].map((k) => spots.map((spot) => spot[k]));
  assert.ok(Math.min(...xs) > 0 && Math.max(...xs) < right && Math.min(...ys) > 0 && Math.max(...ys) < bottom, JSON.stringify(spots));
  assert.ok(Math.max(...xs) - Math.min(...xs) > 0.6 * right || Math.max(...ys) - Math.min(...ys) > 0.6 * bottom, JSON.stringify(spots));
});

test('dark and light, the list of keys, and the phone', async () => {
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  await page.locator('#stage').press('t');
  assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
  await page.locator('#stage').press('?');
  const [dialog, heading] = await Promise.all(['#keys', '#keys-title'].map((id) => page.locator(id).boundingBox()));
  assert.ok(heading.y >= dialog.y, 'the list is seen from its beginning');
  await page.keyboard.press('Escape');
  const phone = await open(server.url, { viewport: { width: 390, height: 760 } });
  await loaded(phone);
  assert.ok(await phone.locator('#panel').isHidden());
  const [play, card] = await Promise.all(['#play', '#transport'].map((id) => phone.locator(id).boundingBox()));
  assert.ok(play.y > card.y + 2, 'the controls have room');
  assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(await covered(phone), []);
  assert.deepEqual(phone.faults, []);
  await phone.close();
});

/** Grains over which a card lies. */
const covered = async (phone) => {
  await pixels(phone);  // the camera is where the last drawing had it
  return phone.evaluate((ids) => {
    const cards = ['head', 'legend', 'transport'].map((id) => document.getElementById(id).getBoundingClientRect());
    const inside = ([x, y]) => cards.some((c) => x > c.left && x < c.right && y > c.top && y < c.bottom) || x < 0 || y < 0 || x > innerWidth;
    return ids.filter((id) => inside(window.talus.screenOf(id)));
  }, [...frames.at(-1).grains.keys()]);
};

test('a phone held sideways has its cards beside the grains', async () => {
  for (const [width, height] of [[760, 360], [568, 320]]) {
    const phone = await open(server.url, { viewport: { width, height } });
    await loaded(phone);
    assert.ok(await phone.locator('#panel').isHidden());
    assert.deepEqual(await covered(phone), [], `${width} x ${height}`);
    const [head, legend, card] = await Promise.all(['#head', '#legend', '#transport'].map((id) => phone.locator(id).boundingBox()));
    assert.ok(head.y + head.height <= legend.y && legend.y + legend.height <= card.y, 'no card lies over another');
    assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), width);
    assert.deepEqual(phone.faults, []);
    await phone.close();
  }
});

test('everything can be reached with the keyboard', async () => {
  const reached = new Set();
  await page.locator('#stage').focus();
  for (let i = 0; i < 30; ++i) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id));
  }
  for (const id of ['field', 'walls', 'chains', 'cut', 'grain-id', 'measure', 'play', 'step', 'speed', 'time', 'picture', 'theme', 'help']) {
    assert.ok(reached.has(id), `${id} is not reached`);
  }
});

test('of a crowd that stands still all grains come, though the first picture is thinned', async () => {
  talus('run', writeScene('crowd.toml', { end: 0.00004, side: 32, layers: 40 }), '--out', 'crowd', '--quiet');
  const crowded = await serve('view', 'crowd', '--port', '0', '--no-browser');
  const said = await open(crowded.url);
  await shows(said, 32 * 32 * 40);
  assert.equal(await said.locator('#notice').isVisible(), false);
  assert.deepEqual(said.faults, []);
  await said.close();
  await crowded.stop();
});

test('looking changes nothing', async () => {
  const { status, changes } = manifest('flat');
  assert.equal(status, 'finished');
  assert.deepEqual(changes, []);
  assert.deepEqual(page.faults, []);
  assert.equal((await server.stop()).code, 0);
});
