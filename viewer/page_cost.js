// What a picture costs the page: seconds of its main thread, in headless Chromium. Run from the root of the repository:
//   TALUS_PROGRAM=$PWD/build/talus node viewer/page_cost.js [GRAINS] [PICTURES]
// One stored frame is sent again and again with other ends of its colours, which is all that a new picture is to the page.
import { nextPicture, open, serve, talus, writeScene } from './tests/harness.js';

const [grains = 200000, pictures = 40] = process.argv.slice(2).map(Number);
const layers = 20;
const side = Math.round(Math.sqrt(grains / layers));

talus('run', writeScene('bed.toml', { end: 0.00004, side, layers }), '--out', 'bed', '--quiet');
const server = await serve('view', 'bed', '--port', '0', '--no-browser');
const page = await open(server.url);
page.setDefaultTimeout(120000);  // without a graphics card drawing takes long
await page.waitForFunction((all) => window.talus?.spheres === all, side * side * layers);

let high = 1;
const another = () => nextPicture(page, () => page.evaluate((value) => {
  const input = document.getElementById('range-high');
  input.value = value;
  input.dispatchEvent(new Event('change'));
}, (high += 1)));
for (let i = 0; i < 3; ++i) await another();  // what is compiled late

const devtools = await page.context().newCDPSession(page);
await devtools.send('Performance.enable');
const metrics = async () => {
  const { metrics: list } = await devtools.send('Performance.getMetrics');
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
};
const before = await metrics();
const begun = performance.now();
for (let i = 0; i < pictures; ++i) await another();
const wall = performance.now() - begun;
const after = await metrics();
const each = (name) => `${((1000 * (after[name] - before[name])) / pictures).toFixed(1)} ms`;
console.log(`${side * side * layers} spheres, ${pictures} pictures: ${each('ScriptDuration')} of script, `
  + `${each('TaskDuration')} of all tasks of the page, ${(wall / pictures).toFixed(0)} ms by the clock a picture`);
await page.context().browser().close();
await server.stop();
