// Suggests places for fields `place`. Without scripts the name can be typed.
for (const input of document.querySelectorAll('input[data-places]')) {
  const list = document.createElement('datalist');
  list.id = `${input.id}-places`;
  input.after(list);
  input.setAttribute('list', list.id);
  input.autocomplete = 'off';
  let asked = '';
  input.addEventListener('input', async () => {
    const q = input.value.trim();
    asked = q;
    if (q.length < 2) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (asked !== q) return;
    const response = await fetch(`${input.dataset.places}?q=${encodeURIComponent(q)}`).catch(() => null);
    if (!response?.ok || asked !== q) return;
    const { data } = await response.json();
    list.replaceChildren(
      ...data.map(({ name, region, country }) => {
        const option = document.createElement('option');
        option.value = `${name}, ${region ?? country}`;
        return option;
      }),
    );
  });
}
