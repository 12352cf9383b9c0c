// Colour maps from formulas in OKLab, a space in which equal steps look equal: lightness climbs evenly, so that a map
// reads the same in grey and with any kind of colour vision.

/** OKLCH to sRGB bytes: lightness 0 to 1, chroma, hue in degrees (Ottosson 2020). */
export function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((c) => {
    const v = Math.min(1, Math.max(0, c));
    return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
  });
}

/** From dusk to daylight: deep blue over violet and orange to pale yellow. */
function amount(t) {
  const hue = 268 + 194 * t;  // through violet, red and orange to yellow
  return oklch(0.36 + 0.56 * t, 0.13 + 0.05 * Math.sin(Math.PI * t), hue % 360);
}

/** Blue below zero, warm above, pale in the middle. */
function signed(t) {
  const away = Math.abs(2 * t - 1);
  return oklch(0.93 - 0.45 * away, 0.16 * away ** 0.8, t < 0.5 ? 255 : 40);
}

/** Hues a golden angle apart: neighbours differ for any number of kinds. */
export function kindColour(index) {
  return oklch(0.74 - 0.1 * (index % 2), 0.13, (75 + 137.508 * index) % 360);
}

/** "#rrggbb" as bytes; null if it is none. */
export function parseColour(text) {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? '');
  return found && found.slice(1).map((part) => parseInt(part, 16));
}

/** 256 colours, RGBA, for a kind of field; kinds may have colours of their own. */
export function colourMap(kind, own = []) {
  const bytes = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; ++i) {
    const rgb = kind === 'kinds' ? (parseColour(own[i]) ?? kindColour(i)) : (kind === 'signed' ? signed : amount)(i / 255);
    bytes.set([...rgb, 255], 4 * i);
  }
  return bytes;
}
