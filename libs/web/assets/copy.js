// Copies a text of the page, or shares an address. If the browser cannot share, the address is copied. Without scripts,
// the reader can select the text, or copy the address from the browser's address bar. Without HTTPS, browsers do not
// let scripts copy, and the buttons stay hidden.
for (const button of navigator.clipboard ? document.querySelectorAll('button[data-copy], button[data-share]') : []) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const { copy, share: url, title, done } = button.dataset;
    if (url && navigator.share) return navigator.share({ title, url }).catch(() => undefined);
    await navigator.clipboard.writeText(url ?? document.getElementById(copy).textContent.trim());
    button.textContent = done;
  });
}
