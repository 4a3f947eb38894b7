// A plain page to try the snap with: one step a button, in the order of a first visit.
// Each step has an example filled in from what the steps before it answered.
import { createSteps } from './steps.js';

const stack = await (await fetch('/stack.json')).json();
const known = { stack };

document.querySelector('#steps').append(...createSteps(stack).map(drawStep));

/** Draw a step: its title, its request to edit where it has one, a button, the answer. */
function drawStep({ title, label, example, run }) {
  const item = document.createElement('li');
  const heading = append(item, 'h2', { textContent: title });
  heading.id = `step-${title.toLowerCase().replace(/\W+/gu, '-')}`;
  const placeholder = 'Filled in from the steps before.';
  const editor =
    example && append(item, 'textarea', { spellcheck: false, placeholder });
  editor?.setAttribute('aria-labelledby', heading.id);
  const button = append(item, 'button', { textContent: label });
  button.setAttribute('aria-describedby', heading.id);
  const output = append(item, 'output');
  const fill = () => {
    if (editor && editor.value === '') editor.value = toText(example(known));
  };
  editor?.addEventListener('focus', fill);
  button.addEventListener('click', async () => {
    button.disabled = true;
    output.className = '';
    output.textContent = 'Waiting for MetaMask …';
    try {
      fill();
      const answer = await run(known, editor && JSON.parse(editor.value));
      output.textContent = toText(answer);
    } catch (error) {
      output.className = 'error';
      output.textContent = `${error.code ?? 'Error'}: ${error.message}`;
    } finally {
      button.disabled = false;
    }
  });
  return item;
}

function append(parent, tag, properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  parent.append(element);
  return element;
}

function toText(value) {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
