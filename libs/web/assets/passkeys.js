// Asks the browser for a passkey before a form is sent. The challenge comes from the server. The response to it is sent
// with the form.
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential) continue;
  const said = form.querySelector('[data-failed]');
  const tell = (text) => {
    said.textContent = text;
    said.hidden = false;
  };
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    said.hidden = true;
    try {
      const asked = await fetch(form.dataset.passkey, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams(new FormData(form)),
      });
      const optionsJSON = await asked.json();
      if (!asked.ok) return tell(optionsJSON.message);
      form.elements.response.value = JSON.stringify(
        await window.SimpleWebAuthnBrowser[form.dataset.does]({ optionsJSON }),
      );
    } catch {
      return tell(said.dataset.failed);
    }
    form.submit();
  });
}
