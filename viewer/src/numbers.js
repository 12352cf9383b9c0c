// Numbers for people.

/** To so many digits, without needless zeros: 0.00123, 45.6, 1.2e-7. */
export function round(value, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? trim(value.toExponential(digits - 1)) : String(Number(value.toPrecision(digits)));
}

function trim(text) {
  return text.replace(/\.?0+e/, 'e').replace('e+', 'e');
}

export function vector(v, digits = 3) {
  return v.map((c) => round(c, digits)).join(', ');
}

/** What a person typed, or null if it is no number. */
export function parse(text) {
  const value = Number(text.trim().replace(',', '.').replace('−', '-'));
  return text.trim() !== '' && Number.isFinite(value) ? value : null;
}
