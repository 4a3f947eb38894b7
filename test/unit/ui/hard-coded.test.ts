// No text stands in the code of views: each has a key, and so a translation.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findHardCoded } from '../../support/hard-coded';

const sources = ['src/ui', 'src/handlers/home'].flatMap((folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/u.test(name))
        .map((name) => join(folder, name))
    : [],
);

describe('the views', () => {
  it.each(sources)('have no text of their own in %s', (path) => {
    expect(findHardCoded(path, readFileSync(path, 'utf8'))).toStrictEqual([]);
  });
});

describe('the search for text in code', () => {
  it.each([
    ['a child', '<Text>Sign this</Text>', 'Sign this'],
    ['an expression', "<Text>{'Sign'}</Text>", 'Sign'],
    ['a choice', "<Text>{is ? translate('yes') : 'nope'}</Text>", 'nope'],
    ['a default', "<Text>{name ?? 'nobody'}</Text>", 'nobody'],
    ['a template', '<Text>{`${gas} used`}</Text>', 'used'],
    ['an attribute', '<Row label="Gas limit">{x}</Row>', 'Gas limit'],
    ['an attribute in braces', "<Banner title={'Danger'}>{x}</Banner>", 'Danger'],
    [
      'a placeholder',
      '<Input name="fee" placeholder="in gwei each" />',
      'in gwei each',
    ],
    ['a field of a record', "const row = { label: 'Gas' };", 'Gas'],
    ['a notice', "danger('Refuse this.')", 'Refuse this.'],
  ])('finds %s', (_what, source, text) => {
    expect(findHardCoded('x.tsx', source)).toStrictEqual([text]);
  });

  it.each([
    "<Text>{translate('action.approve')}</Text>",
    '<Confirmation title="connect.title">{x}</Confirmation>',
    "const row = { label: 'action.approve' };",
    '<Option value="low">{name}</Option>',
    '<Button name="refuse">{x}</Button>',
    '<Field label={x} value={`${length} B`} />',
    '<Text>{`${amount} ETH`}</Text>',
    '<Text>{a} → {b}</Text>',
  ])('lets %s be', (source) => {
    expect(findHardCoded('x.tsx', source)).toStrictEqual([]);
  });
});
