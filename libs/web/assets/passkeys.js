// Before a form with `data-passkey` is sent, this script asks the browser to create a passkey or to sign in with a
// passkey. The server creates the challenge, and the form sends the passkey's response to the challenge.
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential) continue;
  const errorText = form.querySelector('[data-failed]');
  const showError = (text) => {
    errorText.textContent = text;
    errorText.hidden = false;
  };
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    errorText.hidden = true;
    try {
      const response = await fetch(form.dataset.passkey, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams(new FormData(form)),
      });
      const optionsJSON = await response.json();
      if (!response.ok) return showError(optionsJSON.message);
      form.elements.response.value = JSON.stringify(
        await window.SimpleWebAuthnBrowser[form.dataset.method]({ optionsJSON }),
      );
    } catch {
      return showError(errorText.dataset.failed);
    }
    form.submit();
  });
}
