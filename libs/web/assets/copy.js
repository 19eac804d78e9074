// Copies the text next to the button, or shares an address. Without scripts, the reader can select the text or the
// address.
for (const button of document.querySelectorAll('button[data-copy], button[data-share]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const { copy, share: url, title, done } = button.dataset;
    if (url && navigator.share) return navigator.share({ title, url }).catch(() => undefined);
    await navigator.clipboard.writeText(url ?? document.getElementById(copy).textContent.trim());
    button.textContent = done;
  });
}
