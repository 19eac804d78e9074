// Asks the browser for its position, and searches around it. Without scripts the two numbers can be typed.
for (const button of document.querySelectorAll('button[data-near]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const { form } = button;
        // Precise to about 100 metres, which does not reveal the building.
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
