// Saves what is seen as a PNG, with title, time and the colours' legend in it.
import { colourMap } from './colours.js';

export function savePicture(stage, { title, time, caption }) {
  stage.drawNow();  // the canvas keeps its picture only until it is shown
  const from = stage.canvas;
  const to = document.createElement('canvas');
  to.width = from.width;
  to.height = from.height;
  const g = to.getContext('2d');
  g.drawImage(from, 0, 0);
  const unit = from.width / from.clientWidth;
  g.scale(unit, unit);
  const style = getComputedStyle(document.documentElement);
  g.fillStyle = style.getPropertyValue('--ink');
  g.font = '600 15px system-ui, sans-serif';
  g.fillText(title, 18, 30);
  g.font = '13px system-ui, sans-serif';
  g.fillText(time, 18, 50);
  if (caption.kind === 'kinds') {
    caption.kinds.forEach(({ name, colour }, i) => {
      const y = from.clientHeight - 20 - 20 * (caption.kinds.length - 1 - i);
      g.fillStyle = colour;
      g.fillRect(18, y - 10, 11, 11);
      g.fillStyle = style.getPropertyValue('--ink');
      g.fillText(name, 38, y);
    });
  } else {
    const [x, y, width] = [18, from.clientHeight - 40, 200];
    const map = colourMap(caption.kind);
    for (let i = 0; i < 256; ++i) {
      g.fillStyle = `rgb(${map.subarray(4 * i, 4 * i + 3).join()})`;
      g.fillRect(x + (i * width) / 256, y, width / 256 + 0.6, 10);
    }
    g.fillStyle = style.getPropertyValue('--ink');
    g.fillText(`${caption.name} ${caption.unit}`, x, y - 6);
    g.fillText(caption.ends[0], x, y + 25);
    g.textAlign = 'right';
    g.fillText(caption.ends[1], x + width, y + 25);
  }
  to.toBlob((blob) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${title} ${time}.png`.replace(/[^\w.+-]+/g, '_');
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}
