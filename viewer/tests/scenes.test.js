// Scenes that are unlike others: a crowd that grows or spreads, no walls, a wall that stops, two dimensions, a run that
// fails. Each must be seen as it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportedFrames, loaded, manifest, missing, open, pixels, scene, serve, shows, talus, writeScene, writeText } from './harness.js';

const view = async (run) => {
  const server = await serve('view', run, '--port', '0', '--no-browser');
  const page = await open(server.url);
  return { page, done: async () => (await page.close(), server.stop()) };
};
const toFrame = async (page, frame) => {
  await page.locator('#time').fill(String(frame));
  await page.waitForFunction((wanted) => document.body.dataset.frame === wanted, String(frame));
};

test('a crowd that grows from nothing is drawn whole, forwards and backwards', async () => {
  const more = `[[stages]]
name = "few"
until = { duration = 0.0203 }
[[stages]]
name = "many"
until = { duration = 0.0401 }
[[stages.do]]
[stages.do.fill]
material = "grain"
radius = "1 cm"
lattice = { packing = "cubic" }
count = 49
box = { low = [0, 0, "10 cm"], high = ["15 cm", "15 cm", "12 cm"] }
[[stages]]
name = "none"
do = [ { remove_above = "-1 m" } ]
until = { duration = 0.01 }
`;
  writeScene('growing.toml', { end: null, side: 2, frames: 0.01, more });
  talus('run', 'growing.toml', '--out', 'growing', '--quiet');
  const frames = exportedFrames('growing');
  const server = await serve('view', 'growing', '--port', '0', '--no-browser');
  const page = await open(server.url);
  await page.waitForFunction(() => window.talus?.pictures > 0);
  await page.locator('#stage').press('w');
  const sizes = frames.map(({ grains }) => grains.size);
  const [none, few, many] = [0, 4, 53].map((size) => sizes.lastIndexOf(size));
  for (const number of [none, few, many, few, none, many]) {
    await toFrame(page, number);
    await page.locator('#stage').press('3');  // all of them, from the top, where nothing hides anything
    const ids = [...frames[number].grains.keys()];
    await shows(page, ids.length);
    assert.equal(await missing(page, ids), 0, `frame ${number}`);
  }
  assert.deepEqual(page.faults, []);
  await page.close();
  await server.stop();
});

test('without walls the camera finds the grains, and those that spread are not cut off', async () => {
  const text = scene({ floor: '', end: 0.4, frames: 0.1 }).replace('velocity_spread = 0.2', 'velocity_spread = 1');
  talus('run', writeText('free.toml', text), '--out', 'free', '--quiet');
  const frames = exportedFrames('free');
  const { page, done } = await view('free');
  await page.waitForFunction(() => window.talus?.spheres > 0);
  await toFrame(page, 0);
  await page.locator('#stage').press('r');
  assert.equal(await missing(page, [...frames[0].grains.keys()]), 0);
  await toFrame(page, frames.length - 1);
  await page.locator('#stage').press('r');
  for (let i = 0; i < 2; ++i) await page.locator('#stage').press('-');
  assert.equal(await missing(page, [...frames.at(-1).grains.keys()]), 0);
  await done();
});

test('a solid wall without a colour is grey in the dark and in the light', async () => {
  const floor = `[[walls]]
name = "plate"
shape = { rectangle = { corner = ["-20 cm", "-20 cm", 0], edge1 = ["60 cm", 0, 0], edge2 = [0, "60 cm", 0] } }
material = "steel"`;
  talus('run', writeScene('plate.toml', { floor, side: 3, end: 0.001 }), '--out', 'plate', '--quiet');
  const { page, done } = await view('plate');
  await loaded(page);
  await page.locator('#stage').press('3');
  for (const theme of ['dark', 'light']) {
    assert.equal(await page.getAttribute('html', 'data-theme'), theme);
    const [r, g, b] = await page.evaluate(() => {  // in the middle between two grains at the corners and the plate's edge
      const { data, width } = window.talus.pixels();
      const box = document.getElementById('stage').getBoundingClientRect();
      const [[x0, y0], [x1, y1]] = [0, 8].map((id) => window.talus.screenOf(id));
      const [x, y] = [x0 - 0.6 * (x1 - x0) - box.left, y0 - 0.6 * (y1 - y0) - box.top];
      const at = 4 * (Math.round(y) * width + Math.round(x));
      return [...data.slice(at, at + 3)];
    });
    assert.ok(Math.min(r, g, b) > 60 && Math.max(r, g, b) < 235, `${theme}: ${[r, g, b]}`);
    await page.locator('#stage').press('t');
  }
  await done();
});

test('a wall that has stopped is drawn where it stopped', async () => {
  const floor = `[[walls]]
name = "lift"
shape = { rectangle = { corner = [0, 0, "-10 cm"], edge1 = ["15 cm", 0, 0], edge2 = [0, "15 cm", 0] } }
material = "steel"
motion = [ { translate = { velocity = [0, 0, 0.2] } } ]`;
  const more = `[[stages]]
name = "up"
until = { duration = 0.1 }
[[stages]]
name = "rest"
do = [ { set_motion = "lift", motion = [] } ]
until = { duration = 1000 }
`;
  writeScene('lift.toml', { end: null, frames: 1, floor, more });
  const server = await serve('run', 'lift.toml', '--out', 'lift', '--view', '--view-port', '0', '--no-browser', '--quiet', '--threads', '1');
  const page = await open(server.url);
  await page.waitForFunction(() => window.talus?.time > 0.11);
  const z = await page.evaluate(() => window.talus.poseOf(0)[14]);
  assert.ok(Math.abs(z + 0.08) < 1e-3, `at ${z}`);
  await page.close();
  await server.stop();
});

test('in the plane one looks down, from whatever side is asked for', async () => {
  const text = `title = "discs"
dimensions = 2
[time]
step = "20 us"
end = 0.02
[gravity]
uniform = [0, -9.81]
[materials.grain]
density = 1000
[[contacts]]
between = ["grain", "grain"]
law = "hooke"
kn = 5000
restitution = 0.9
[[fill]]
material = "grain"
radius = "1 cm"
random = {}
count = 16
box = { low = [0, 0], high = ["20 cm", "20 cm"] }
[output]
frames = 0.01
`;
  talus('run', writeText('discs.toml', text), '--out', 'discs', '--quiet');
  const ids = [...exportedFrames('discs').at(-1).grains.keys()];
  const { page, done } = await view('discs');
  await loaded(page);
  const first = await pixels(page);
  for (const key of ['1', '2', '3', 'r']) {
    await page.locator('#stage').press(key);
    assert.equal(await pixels(page), first, key);
    assert.equal(await missing(page, ids), 0);
  }
  await done();
});

test('a run that fails says so before it is gone', async () => {
  writeScene('fails.toml', { end: 1000, side: 3 });
  talus('run', writeScene('short.toml', { end: 0.001, side: 3 }), '--out', 'short', '--quiet');
  const wrong = { ...manifest('short'), changes: [{ step: 1000000, time: 20, what: { wall: 'nowhere' } }] };
  writeText('wrong.json', JSON.stringify(wrong));
  const server = await serve('run', 'fails.toml', '--out', 'fails', '--replay', 'wrong.json', '--view', '--view-port', '0', '--no-browser', '--quiet', '--threads', '1');
  const page = await open(server.url);
  // The page must have come before the run gets there, which takes some seconds, or a minute where a core is shared.
  await page.waitForFunction(() => /failed.*Talus has ended/.test(document.getElementById('notice').textContent));
  assert.match(await page.textContent('#log'), /--replay: the change at step 1000000.*nowhere/);
  assert.match(await page.textContent('#facts'), /failed/);
  assert.equal((await server.ended).code, 3);
  await page.close();
});

test('a stored frame that cannot be read is said to be so, and the others are still there', async () => {
  talus('run', writeScene('torn.toml', { side: 3 }), '--out', 'torn', '--quiet');
  writeText('torn/frames/000003.h5', 'no frame');
  const { page, done } = await view('torn');
  await loaded(page);
  await toFrame(page, 3);
  assert.match(await page.textContent('#notice'), /000003\.h5/);
  assert.equal(await page.evaluate(() => window.talus.spheres), 0);
  await toFrame(page, 4);
  await page.waitForFunction(() => window.talus.spheres === 9 && document.getElementById('notice').hidden);
  await done();
});
