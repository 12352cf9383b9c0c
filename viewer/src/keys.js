// Keyboard shortcuts, and the page that lists them.
const $ = (id) => document.getElementById(id);

/** @param {{keys: string[], text: string, act: (event: KeyboardEvent) => void}[]} shortcuts */
export function listen(shortcuts) {
  for (const { keys, text } of shortcuts) {
    const name = document.createElement('dt');
    keys.forEach((key) => {
      const cap = document.createElement('kbd');
      cap.textContent = key === ' ' ? 'Space' : key.replace('Arrow', '');
      name.append(cap, ' ');
    });
    const meaning = document.createElement('dd');
    meaning.textContent = text;
    $('keys-list').append(name, meaning);
  }
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest?.('input:not([type=checkbox]):not([type=range]), select, dialog');
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    // A button or a box in focus keeps the keys that are its own.
    const own = event.target.closest?.('button, input') ? [' ', 'Enter'] : [];
    if (event.target.matches?.('input[type=range]')) own.push('ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown');
    if (own.includes(event.key)) return;
    const hit = shortcuts.find(({ keys }) => keys.includes(event.key) || keys.includes(event.key.toLowerCase()));
    if (hit) {
      event.preventDefault();
      hit.act(event);
    }
  });
  $('help').addEventListener('click', () => {
    $('keys').showModal();
    $('keys').scrollTop = 0;  // the button that got the focus is at the end
  });
}
