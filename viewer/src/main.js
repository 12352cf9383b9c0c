// Puts the page together: what comes from Talus goes to those who show it, what a person does goes back.
import { Vector3 } from 'three';
import { Chains } from './chains.js';
import { Changes } from './changes.js';
import { Connection } from './connection.js';
import { Crowd } from './crowd.js';
import { Cut } from './cut.js';
import { Grain } from './grain.js';
import { listen } from './keys.js';
import { Legend } from './legend.js';
import { round } from './numbers.js';
import { savePicture } from './picture.js';
import { Series } from './series.js';
import { Spheres } from './spheres.js';
import { Stage } from './stage.js';
import { Theme } from './theme.js';
import { Transport } from './transport.js';
import { Walls } from './walls.js';

const $ = (id) => document.getElementById(id);
const connection = new Connection();
const stage = new Stage($('stage'));
const walls = new Walls(stage);
const spheres = new Spheres(stage);
const chains = new Chains(stage);
const cut = new Cut(stage);
const legend = new Legend(connection);
const series = new Series();
const transport = new Transport(connection);
const grain = new Grain(stage, spheres, connection);
const changes = new Changes(connection);
const theme = new Theme(({ ground, ink, wall }) => {
  stage.setBackground(ground);
  walls.setInk(ink, wall);
  series.draw();
});
let shown = { time: 0, stage: '' };
const crowd = new Crowd();
let state = { status: '' };
let lost = false;
let title = null;
let live = false;
let pictures = 0;

/** What a run that is over says, connected or not. */
const ends = {
  finished: 'The run has finished.',
  interrupted: 'The run was interrupted; talus run --resume goes on with it.',
  failed: 'The run has failed; the events say why.',
};

function tell() {
  const status = state.status === 'running' && state.paused ? 'paused' : state.status;
  const facts = [`${crowd.grains.toLocaleString('en')} grains`, `${round(shown.time, 5)} s`, shown.stage, status];
  $('facts').textContent = facts.filter(Boolean).join('  ·  ');
  const notices = [];
  if (live && state.status !== 'finished' && ends[state.status]) notices.push(ends[state.status]);
  if (lost) notices.push(live && ends[state.status] ? 'Talus has ended.' : 'The connection is lost; trying again …');
  if (shown.fault) notices.push(shown.fault);
  if (crowd.notice) notices.push(crowd.notice);
  $('notice').hidden = notices.length === 0;
  $('notice').textContent = notices.join(' ');
}

const hear = (type, act) => connection.addEventListener(type, ({ detail }) => act(detail));
hear('open', () => ((lost = false), crowd.begin(), tell()));
hear('lost', () => ((lost = true), tell()));
hear('greeting', (greeting) => {
  if (title !== null && greeting.title !== title) stage.forget();
  title = greeting.title;
  live = greeting.live;
  document.title = `${title || 'Run'} – Talus`;
  $('title').textContent = title || 'Run';
  stage.setDimensions(greeting.dimensions);
  transport.setGreeting(greeting);
  legend.setGreeting(greeting);
});
hear('state', (news) => {
  state = news;
  transport.setState(news);
  changes.setState(news);
  tell();
});
hear('events', ({ events }) => {
  $('log-section').hidden = events.length === 0;
  $('log').replaceChildren(...events.slice(-30).reverse().map(({ time, text }) => {
    const item = document.createElement('li');
    item.textContent = time === undefined ? text : `${round(time, 4)} s  ${text}`;
    return item;
  }));
});
hear('series', (rows) => series.add(rows));
hear('walls', (message) => {
  walls.setWalls(message);
  stage.setWalls(message.low, message.high);
});
hear('grains', (message) => {
  crowd.set(message);
  spheres.setGrains(message);
});
hear('picture', (picture) => {
  shown = picture;
  ++pictures;
  spheres.setPicture(picture);
  stage.setGrains(spheres.box);
  chains.setPicture(picture);
  legend.setChains(chains.bright);
  walls.setPoses(picture.poses);
  legend.setPicture(picture);
  transport.setPicture(picture);
  grain.setPicture(picture);
  series.setMark(picture.frame >= 0 ? picture.time : null);
  tell();
  stage.draw();
});

legend.onColours = (map) => {
  spheres.setColours(map);
  stage.draw();
};
$('walls').addEventListener('change', () => ((walls.visible = $('walls').checked), stage.draw()));
$('chains').addEventListener('change', () => {
  chains.visible = $('chains').checked;
  spheres.dimmed = $('chains').checked;
  connection.look({ chains: $('chains').checked });
});
$('theme').addEventListener('click', () => theme.toggle());
$('picture').addEventListener('click', () => save());

// A phone held upright has its cards above and below what there is to see, one held sideways beside it; as in style.css.
const upright = matchMedia('(max-width: 640px) and (min-height: 481px)');
const sideways = matchMedia('(max-height: 480px)');
function showPanel(shown) {
  document.body.classList.toggle('no-panel', !shown);
  $('panel-toggle').setAttribute('aria-expanded', String(shown));
  leaveFree();
}
function leaveFree() {
  const open = !document.body.classList.contains('no-panel');
  const below = !upright.matches ? $('transport') : open ? $('panel') : $('legend');
  stage.leaveFree({
    top: upright.matches ? $('head').offsetTop + $('head').offsetHeight : 0,
    right: open && !upright.matches ? $('panel').offsetWidth + 12 : 0,
    bottom: innerHeight - below.offsetTop,
    left: sideways.matches ? $('legend').offsetLeft + $('legend').offsetWidth : 0,
  });
}
for (const media of [upright, sideways]) media.addEventListener('change', leaveFree);
new ResizeObserver(leaveFree).observe($('legend'));
const togglePanel = () => showPanel(document.body.classList.contains('no-panel'));
$('panel-toggle').addEventListener('click', togglePanel);
showPanel(!upright.matches && !sideways.matches);

function save() {
  savePicture(stage, { title: $('title').textContent, time: `t = ${round(shown.time, 5)} s`, caption: legend.caption });
}

const press = (id) => () => $(id).click();
listen([
  { keys: [' '], text: 'Pause or go on', act: () => transport.toggle() },
  { keys: ['.'], text: 'Single step, or the next frame', act: () => transport.step() },
  { keys: [','], text: 'The frame before', act: () => transport.step(-1) },
  { keys: ['<', '>'], text: 'Slower, faster', act: ({ key }) => transport.changePace(key === '<' ? 1 : -1) },
  { keys: ['l'], text: 'Back to the run as it is now', act: () => transport.goLive() },
  { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], text: 'Turn the view', act: ({ key }) => stage.turn(
    { ArrowLeft: -0.1, ArrowRight: 0.1 }[key] ?? 0, { ArrowUp: -0.1, ArrowDown: 0.1 }[key] ?? 0) },
  { keys: ['+', '=', '-'], text: 'Closer, farther', act: ({ key }) => stage.zoom(key === '-' ? 1.15 : 1 / 1.15) },
  { keys: ['r', '1', '2', '3'], text: 'See all; from the front, the side, the top',
    act: ({ key }) => stage.lookFrom({ 1: 'front', 2: 'side', 3: 'top' }[key] ?? (stage.planar ? 'top' : 'corner')) },
  { keys: ['c'], text: 'Colour by the next field', act: () => legend.next() },
  { keys: ['a'], text: 'Let the colours follow the grains', act: press('range-auto') },
  { keys: ['n', 'N'], text: 'The next grain, the one before', act: ({ shiftKey }) => grain.next(shiftKey ? -1 : 1) },
  { keys: ['w'], text: 'Walls', act: press('walls') },
  { keys: ['f'], text: 'Force chains', act: press('chains') },
  { keys: ['x'], text: 'Cut plane', act: () => cut.toggle() },
  { keys: ['[', ']'], text: 'Move the cut', act: ({ key }) => cut.move(key === '[' ? -20 : 20) },
  { keys: ['v'], text: 'Keep the other side of the cut', act: () => cut.flip() },
  { keys: ['g'], text: 'Change the run; Enter sets what was typed', act: () => changes.focus() },
  { keys: ['s'], text: 'Save a picture', act: save },
  { keys: ['p'], text: 'Panel', act: togglePanel },
  { keys: ['t'], text: 'Dark or light', act: () => theme.toggle() },
  { keys: ['Escape'], text: 'Let go of the grain', act: () => grain.choose(null) },
  { keys: ['?'], text: 'This list', act: press('help') },
]);

/** For scripts and tests: what is on the page, in numbers. */
window.talus = {
  get spheres() {
    return spheres.count;
  },
  get time() {
    return shown.time;
  },
  get step() {
    return shown.step;
  },
  get rows() {
    return series.rows;
  },
  /** Pictures that have come so far. */
  get pictures() {
    return pictures;
  },
  get field() {
    return shown.field;
  },
  get camera() {
    return stage.camera.position.toArray();
  },
  /** Where a wall is drawn, as a matrix by columns. */
  poseOf: (wall) => walls.poseOf(wall),
  /** What is drawn, without the cards over it. */
  pixels: () => stage.pixels(),
  /** Where on the page the centre of a grain is, in pixels. */
  screenOf(id) {
    const at = spheres.centerOf(spheres.id.indexOf(id), new Vector3()).project(stage.camera);
    const box = stage.canvas.getBoundingClientRect();
    return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
  },
};
