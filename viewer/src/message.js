// Takes a message apart: a JSON header with its length in front, then arrays of numbers where the header says.

const views = { f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array };

/** @param {ArrayBuffer} buffer @returns {object} the header, its `arrays` an object of typed arrays by name */
export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const arrays = {};
  for (const { name, type, at, count } of header.arrays) {
    arrays[name] = new views[type](buffer, 4 + length + at, count);
  }
  return { ...header, arrays };
}
