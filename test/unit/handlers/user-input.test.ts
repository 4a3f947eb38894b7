import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import { handleUserInput } from '../../../src/handlers/user-input';

type Bench = {
  click: (event: UserInputEvent) => Promise<void>;
  answers: [string, Json][];
};

function setup(): Bench {
  const answers: Bench['answers'] = [];
  const services = {
    answerDialog: (id: string, value: Json): Promise<void> => {
      answers.push([id, value]);
      return Promise.resolve();
    },
    fetchDialogValues: (id: string): Promise<Json> => Promise.resolve({ filled: id }),
  };
  const click: Bench['click'] = (event) =>
    handleUserInput({ id: 'dialog', event }, services);
  return { click, answers };
}

const button = (name?: string): UserInputEvent => ({
  type: UserInputEventType.ButtonClickEvent,
  ...(name === undefined ? {} : { name }),
});

describe('handleUserInput', () => {
  it('answers the dialog with yes and what was filled in', async () => {
    const { click, answers } = setup();
    await click(button('approve'));
    expect(answers).toStrictEqual([
      ['dialog', { approved: true, values: { filled: 'dialog' } }],
    ]);
  });

  it('answers the dialog with no, and tells nothing that was filled in', async () => {
    const { click, answers } = setup();
    await click(button('refuse'));
    expect(answers).toStrictEqual([['dialog', { approved: false, values: {} }]]);
  });

  it.each(['Approve', 'toString', '__proto__', 'constructor', ''])(
    'lets be a button that is none of ours: %j',
    async (name) => {
      const { click, answers } = setup();
      await click(button(name));
      expect(answers).toStrictEqual([]);
    },
  );

  it('lets be a button without a name', async () => {
    const { click, answers } = setup();
    await click(button());
    expect(answers).toStrictEqual([]);
  });

  it('lets be an input that carries the name of a button', async () => {
    const { click, answers } = setup();
    await click({
      type: UserInputEventType.InputChangeEvent,
      name: 'approve',
      value: true,
    });
    await click({
      type: UserInputEventType.FormSubmitEvent,
      name: 'approve',
      value: {},
    });
    expect(answers).toStrictEqual([]);
  });
});
