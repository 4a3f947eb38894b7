import { coerce, string } from '@metamask/superstruct';

import { validate } from '../../src/schema/parse';
import {
  array,
  eitherOf,
  exactOptional,
  findCheck,
  named,
  nullable,
  object,
  optional,
  partial,
  record,
  sensitive,
  tuple,
  type,
  withCheck,
} from '../../src/schema/structs';

const flag = named<string>('a flag', (value) => value === 'on');

/** A struct without a check: what it yields is not what it was given. */
const upper = coerce(named<string>('upper', Boolean), string(), (value) =>
  value.toUpperCase(),
);

describe('a struct', () => {
  it.each([
    ['an object', type({ flag, upper })],
    ['an object of known fields', object({ upper: exactOptional(sensitive(upper)) })],
    ['an object of some of them', partial({ upper })],
    ['a record', record(flag, upper)],
    ['an array', array(upper)],
    ['a tuple', tuple([flag, upper])],
    ['what may be null', nullable(upper)],
    ['what may be undefined', optional(upper)],
    ['one of two', eitherOf(() => true, type({ flag }), type({ upper }))],
    ['the other of two', eitherOf(() => true, type({ upper }), type({ flag }))],
  ])('has none if a part converts: %s', (_name, struct) => {
    expect(findCheck(struct)).toBeUndefined();
  });
});

describe('validation', () => {
  it('does not run a struct whose check says yes', () => {
    const never = withCheck(
      named<string>('never', () => {
        throw new Error('It ran.');
      }),
      () => true,
    );
    expect(validate('x', never)).toStrictEqual({ value: 'x' });
  });

  it.each([
    ['with a check', type({ flag: optional(flag) })],
    ['that converts', type({ flag: optional(upper) })],
  ])(
    'takes no array for an object whose fields are all optional: %s',
    (_name, struct) => {
      expect(validate(['on'], struct)).toStrictEqual({
        rejection: { path: [], expected: 'an object', isMissing: false },
      });
      expect(validate({}, struct)).toStrictEqual({ value: {} });
    },
  );

  it('says what is wrong if the check fails', () => {
    const struct = type({ flags: array(flag) });
    expect(validate({ flags: ['on', 'off'] }, struct)).toStrictEqual({
      rejection: { path: ['flags', 1], expected: 'a flag', isMissing: false },
    });
  });

  it('converts where there is no check', () => {
    expect(validate({ upper: 'x', flag: 'on' }, type({ upper, flag }))).toStrictEqual({
      value: { upper: 'X', flag: 'on' },
    });
  });
});
