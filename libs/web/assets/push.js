// Subscribes this browser to push messages. Without scripts, and in browsers without push messages, the page shows a
// sentence instead of the button.
for (const button of document.querySelectorAll('button[data-push-key]')) {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) continue;
  const { pushKey, worker, scope, to, list } = button.dataset;
  const status = document.getElementById(button.getAttribute('aria-describedby'));
  const show = (text) => {
    status.textContent = text;
    status.hidden = false;
  };
  button.hidden = false;
  status.hidden = true;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const registration = await navigator.serviceWorker.register(worker, { scope });
      await navigator.serviceWorker.ready;
      const subscription = await subscribe(registration.pushManager, bytesOf(pushKey));
      const { endpoint, keys } = subscription.toJSON();
      const answer = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', 'x-csrf-token': csrfOf(button) },
        body: JSON.stringify({ endpoint, keys }),
      });
      // The page at the address `list` shows this browser and the result.
      if (answer.ok) return void location.assign(list);
      show(answer.status === 409 ? button.dataset.full : button.dataset.failed);
    } catch (error) {
      show(error.name === 'NotAllowedError' ? button.dataset.denied : button.dataset.failed);
    }
    button.disabled = false;
  });
}

/** Subscribes with the current key of the service. A subscription with an older key is replaced. */
async function subscribe(manager, applicationServerKey) {
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const former = error.name === 'InvalidStateError' && (await manager.getSubscription());
    if (!former) throw error;
    await former.unsubscribe();
    return manager.subscribe(options);
  }
}

function csrfOf(button) {
  return button.closest('[data-csrf]').dataset.csrf;
}

function bytesOf(text) {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
