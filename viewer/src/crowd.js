// How much of the crowd has come, in words: that it still grows is nobody's fault, that it was thinned is.
export class Crowd {
  #isNew = true;
  #wasThinned = false;
  grains = 0;
  #oneIn = 1;

  /** Another line: nobody knows yet what it bears. */
  begin() {
    this.#isNew = true;
    this.#wasThinned = false;
  }

  /** The header of a message `grains`. */
  set({ grains, one_in: oneIn }) {
    const isFewer = !this.#isNew && oneIn > this.#oneIn;
    this.#wasThinned = oneIn > 1 && (this.#wasThinned || isFewer);
    this.#isNew = false;
    this.#oneIn = oneIn;
    this.grains = grains;
  }

  /** What there is to say; empty where all grains are shown. */
  get notice() {
    if (this.#oneIn === 1) return '';
    return this.#wasThinned
      ? `The line or the browser is slow: one grain in ${this.#oneIn} is shown.`
      : `One grain in ${this.#oneIn} is shown so far.`;
  }
}
