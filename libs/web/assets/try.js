// Shows a button that sends a first request with the new token and shows the response. Without scripts, the button
// stays hidden, and the reader can use the curl command.
const tryOut = document.querySelector('button[data-try]');
if (tryOut) {
  const answer = document.getElementById(tryOut.dataset.answer);
  tryOut.hidden = false;
  tryOut.addEventListener('click', async () => {
    const token = document.getElementById(tryOut.dataset.token).textContent.trim();
    try {
      const response = await fetch(tryOut.dataset.try, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      });
      answer.textContent = `${response.status}\n${JSON.stringify(await response.json(), null, 2)}`;
    } catch {
      answer.textContent = tryOut.dataset.failed;
    }
    answer.hidden = false;
  });
}
