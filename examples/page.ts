// A page with one button, which shows the result.

/** Runs a function when the user presses the button, and shows the result or the error. */
export function onPress(run: () => Promise<string>): void {
  const button = document.querySelector('button');
  const output = document.querySelector('output');
  button?.addEventListener('click', () => {
    const show = (text: string): void => {
      if (output) output.textContent = text;
    };
    show('Waiting for you …');
    run().then(show, (error: Error) => show(error.message));
  });
}
