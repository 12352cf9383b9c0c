// What the end-to-end tests stand on: the real program, a real browser, and a folder that is gone afterwards.
// Exits with 77, which ctest reports as skipped, where one of them is missing.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

let program = process.env.TALUS_PROGRAM;
const browserPath = process.env.TALUS_CHROMIUM || '/usr/bin/chromium';
if (!existsSync(browserPath) || Number(process.versions.node.split('.')[0]) < 20) {
  console.log('skipped: no Chromium, or a Node older than 20');
  process.exit(77);
}
const { chromium } = await import('playwright-core');

const flags = [
  '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

export const folder = mkdtempSync(join(tmpdir(), 'talus_e2e_'));
const running = new Set();
let browser;

after(async () => {
  await browser?.close();
  await Promise.all([...running].map((one) => one.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const plainFloor = `[[walls]]
name = "floor"
shape = { plane = {} }
material = "steel"`;

/**
 * Grains that fly about above a floor, `layers` of `side` squared. `floor`: the walls; `more`:
 * appended to the scene, such as stages where `end` is null.
 */
export function scene({ end = 0.1, side = 5, layers = 1, frames = 0.01, more = '', floor = plainFloor } = {}) {
  return `title = "flying grains"
[time]
step = "20 us"
${end === null ? '' : `end = ${end}`}
[gravity]
uniform = [0, 0, -9.81]
[materials.grain]
density = 1000
[materials.steel]
[[contacts]]
between = ["grain", "*"]
law = "hooke"
kn = 5000
restitution = 0.9
friction = { static = 0.3 }
${floor}
[[fill]]
material = "grain"
radius = "1 cm"
lattice = { packing = "cubic" }
count = ${side * side * layers}
box = { low = [0, 0, "1 mm"], high = ["${3 * side} cm", "${3 * side} cm", "${2 * layers + 1} cm"] }
velocity_spread = 0.2
[[measure]]
height = {}
[output]
frames = ${frames}
series = 0.001
${more}`;
}

export function writeScene(name, options) {
  const path = join(folder, name);
  writeFileSync(path, scene(options));
  return path;
}

/** Another program than the one of the build. */
export function useProgram(path) {
  program = path;
}

/** Runs the program to its end; its output, or an error if it failed. */
export function talus(...args) {
  const done = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`talus ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

/** Starts the program with a view and waits for its address. */
export function serve(...args) {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const ended = new Promise((resolve) => child.on('exit', (code) => resolve({ code, printed })));
  const one = {
    child,
    ended,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null;
    },
    async stop() {
      running.delete(one);
      child.kill('SIGINT');
      return ended;
    },
  };
  running.add(one);
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (text) => {
      printed += text;
      const found = /the view is at (\S+)/.exec(printed);
      if (found) resolve(Object.assign(one, { url: found[1] }));
    });
    ended.then(() => reject(new Error(`talus ended at once: ${printed}`)));
  });
}

/** A page with all its complaints in `faults`; `prepare` sees it while it is still empty. */
export async function open(url, options = {}, prepare = () => {}) {
  browser ??= await chromium.launch({ executablePath: browserPath, args: flags, timeout: 0 });
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, colorScheme: 'dark', ...options });
  page.setDefaultTimeout(0);  // a busy machine is no fault: ctest alone sets an end
  page.faults = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) page.faults.push(message.text());
  });
  page.on('pageerror', (error) => page.faults.push(error.message));
  prepare(page);
  await page.goto(url);
  return page;
}

/** Writes any scene. */
export function writeText(name, text) {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** A number that differs where what is drawn differs, cards left out. */
export function pixels(page) {
  return page.evaluate(() => {
    let hash = 0;
    for (const word of new Uint32Array(window.talus.pixels().data.buffer)) hash = (Math.imul(hash, 31) + word) | 0;
    return hash;
  });
}

/** How many of these grains are not seen where their centres are. */
export function missing(page, ids) {
  return page.evaluate((wanted) => {
    const { data, width } = window.talus.pixels();
    const box = document.getElementById('stage').getBoundingClientRect();
    const words = new Uint32Array(data.buffer);
    const at = (x, y) => words[Math.round(y) * width + Math.round(x)] ?? words[0];
    const ground = at(2, box.height - 2);
    return wanted.filter((id) => {
      const [x, y] = window.talus.screenOf(id);
      return at(x - box.left, y - box.top) === ground;
    }).length;
  }, ids);
}

/** Until another picture has come than those that have. */
export async function nextPicture(page, act = async () => {}) {
  const before = await page.evaluate(() => window.talus.pictures);
  await act();
  await page.waitForFunction((than) => window.talus.pictures > than, before);
}

/** Until so many spheres are there: a page that has no time gets them later. */
export async function shows(page, count) {
  await page.waitForFunction((wanted) => window.talus?.spheres === wanted, count);
}

/** Until grains are there. */
export async function loaded(page) {
  await page.waitForFunction(() => window.talus?.spheres > 0);
}

/** Frames of a run as the exporter tells them: [{ step, grains: Map(id -> [x, y, z]) }]. */
export function exportedFrames(run) {
  talus('export', run, '--format', 'lammps', '--out', 'frames.dump');
  return readFileSync(join(folder, 'frames.dump'), 'utf8').split('ITEM: TIMESTEP\n').slice(1).map((text) => {
    const lines = text.split('\n');
    const start = lines.findIndex((line) => line.startsWith('ITEM: ATOMS')) + 1;
    const grains = lines.slice(start).filter(Boolean).map((line) => line.split(' ').map(Number));
    return { step: Number(lines[0]), grains: new Map(grains.map(([id, , x, y, z]) => [id, [x, y, z]])) };
  });
}

export function manifest(run) {
  return JSON.parse(readFileSync(join(folder, run, 'manifest.json'), 'utf8'));
}
