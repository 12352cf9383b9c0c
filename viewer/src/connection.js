// The stream from Talus: messages in, wishes and commands out; comes back by itself when it breaks.
import { decode } from './message.js';

const shortestWait = 250;  // ms
const longestWait = 4000;

export class Connection extends EventTarget {
  #socket = null;
  #wait = shortestWait;
  #look = {};
  #owed = false;  // a picture came while nobody could see it

  /** Fires an event for each type of message, its header as `detail`, and `open` and `lost`. */
  constructor() {
    super();
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.#owed) {
        this.#owed = false;
        this.send({ type: 'got', late: true });
      }
    });
    this.#connect();
  }

  /** Says what is to be shown; parts that are left out stay as they are. */
  look(part) {
    Object.assign(this.#look, part);
    this.send({ type: 'look', ...this.#look });
  }

  get looking() {
    return this.#look;
  }

  send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(message));
    }
  }

  /** A picture is drawn, and the next may come; a page that nobody sees asks for none. `drawing` (s) is no fault of the line. */
  #got(drawing) {
    if (document.hidden) this.#owed = true;
    else this.send({ type: 'got', drawing });
  }

  #connect() {
    const url = new URL('stream', location.href);
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    // The token came behind the '#', which no server sees; only the stream's address carries it.
    url.search = location.hash.startsWith('#token=') ? location.hash.slice(1) : '';
    url.hash = '';
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = shortestWait;
      this.#owed = false;
      this.dispatchEvent(new Event('open'));
      this.look({});
    };
    socket.onmessage = (event) => {
      const begun = performance.now();
      const message = decode(event.data);
      this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
      if (message.type === 'picture') requestAnimationFrame(() => this.#got((performance.now() - begun) / 1000));
    };
    socket.onclose = () => {
      this.dispatchEvent(new Event('lost'));
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, longestWait);
    };
  }
}
