// Asks the browser for its position, and searches around it. Without scripts the two numbers can be typed.
for (const button of document.querySelectorAll('button[data-near]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const { form } = button;
        // A tenth of a kilometre is precise enough, and does not reveal the house.
        form.elements.lat.value = coords.latitude.toFixed(3);
        form.elements.lng.value = coords.longitude.toFixed(3);
        form.requestSubmit();
      },
      () => {
        button.textContent = button.dataset.failed;
      },
    );
  });
}
