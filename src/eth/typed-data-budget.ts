// How much of typed data is signed at all. Hashing a document repeats the text of its types
// for each struct in it, and the library's time grows faster than the number of values: what
// is larger than anyone reads must not hold up everybody else's requests.
import { InvalidParamsError } from '../errors';

/** Most values, structs and arrays counted; about a second of work. */
const MAX_VALUES = 10_000;

/** Most characters of texts, of types, and of types once more for each of their structs. */
const MAX_CHARACTERS = 4_000_000;

/** Counts values as they are read; `spend` throws once they are too many. */
export type Budget = { spend: (characters: number) => void };

/**
 * Create the budget of one document.
 *
 * @param root - How messages name the document.
 */
export function createBudget(root: string): Budget {
  let values = 0;
  let characters = 0;
  return {
    spend: (more) => {
      values += 1;
      characters += more;
      if (values <= MAX_VALUES && characters <= MAX_CHARACTERS) return;
      throw new InvalidParamsError(
        `${root} is too large: at most ${MAX_VALUES} values and ${MAX_CHARACTERS} ` +
          'characters, types included, can be signed.',
      );
    },
  };
}
