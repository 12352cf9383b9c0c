// The stream from Talus: messages in, wishes and commands out; comes back by itself when it breaks.
import { decode } from './message.js';

const shortestWait = 250;  // ms
const longestWait = 4000;

export class Connection extends EventTarget {
  #socket = null;
  #wait = shortestWait;
  #look = {};

  /** Fires an event for each type of message, its header as `detail`, and `open` and `lost`. */
  constructor() {
    super();
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

  #connect() {
    const url = new URL('stream', location.href);
    url.protocol = 'ws:';
    // The token came behind the '#', which no server sees; only the stream's address carries it.
    url.search = location.hash.startsWith('#token=') ? location.hash.slice(1) : '';
    url.hash = '';
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = shortestWait;
      this.dispatchEvent(new Event('open'));
      this.look({});
    };
    socket.onmessage = (event) => {
      const message = decode(event.data);
      if (message.type === 'picture') {
        this.send({ type: 'got' });  // the line is free for the next
      }
      this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
    };
    socket.onclose = () => {
      this.dispatchEvent(new Event('lost'));
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, longestWait);
    };
  }
}
