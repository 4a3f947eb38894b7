import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import { handleUserInput } from '../../../src/handlers/user-input';
import type { DialogInput } from '../../../src/methods';

type Bench = {
  click: (event: UserInputEvent, id?: string) => Promise<void>;
  answers: [string, Json][];
  /** What open dialogs were told. */
  inputs: [string, DialogInput][];
  /** What the home page was told. */
  atHome: [string, UserInputEvent][];
};

function setup({ isMended = false, isClosed = false } = {}): Bench {
  const answers: Bench['answers'] = [];
  const inputs: Bench['inputs'] = [];
  const atHome: Bench['atHome'] = [];
  const services = {
    answerDialog: (id: string, value: Json): Promise<void> => {
      if (isClosed) return Promise.reject(new Error('No dialog waits.'));
      answers.push([id, value]);
      return Promise.resolve();
    },
    interfaces: {
      fetchValues: (id: string) =>
        isClosed && id === 'gone'
          ? Promise.reject(new Error(`Interface with id '${id}' not found.`))
          : Promise.resolve({ filled: id }),
    },
    dialogs: {
      input: (id: string, input: DialogInput): Promise<void> => {
        inputs.push([id, input]);
        return Promise.resolve();
      },
      approve: async (
        _id: string,
        fetchValues: () => Promise<Record<string, Json>>,
      ): Promise<Record<string, Json> | undefined> =>
        isMended ? undefined : fetchValues(),
    },
    home: {
      input: (id: string, event: UserInputEvent): Promise<void> => {
        atHome.push([id, event]);
        return Promise.resolve();
      },
    },
  };
  const click: Bench['click'] = (event, id = 'dialog') =>
    handleUserInput({ id, event }, services);
  return { click, answers, inputs, atHome };
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

  it('leaves a dialog open that shows something else than was filled in', async () => {
    const { click, answers } = setup({ isMended: true });
    await click(button('approve'));
    expect(answers).toStrictEqual([]);
  });

  it('answers the dialog with no, and tells nothing that was filled in', async () => {
    const { click, answers } = setup();
    await click(button('refuse'));
    expect(answers).toStrictEqual([['dialog', { approved: false, values: {} }]]);
  });

  it.each([
    ['approve', 'dialog'],
    ['approve', 'gone'],
    ['refuse', 'dialog'],
  ])('says that a dialog is open no more: %s, %s', async (name, id) => {
    const { click, answers } = setup({ isClosed: true });
    await expect(click(button(name), id)).rejects.toMatchObject({
      code: -32001,
      message: 'This dialog is open no more.',
    });
    expect(answers).toStrictEqual([]);
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

  it('answers nothing for an input that carries the name of a button', async () => {
    const { click, answers, inputs } = setup();
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
    expect(inputs).toStrictEqual([['dialog', { name: 'approve', value: true }]]);
  });

  it('tells the dialog of other buttons', async () => {
    const { click, inputs } = setup();
    await click(button('high'));
    expect(inputs).toStrictEqual([['dialog', { name: 'high' }]]);
  });

  it.each<UserInputEvent>([
    button('home.sites.revoke:https://dapp.example'),
    { type: UserInputEventType.InputChangeEvent, name: 'home.gas.chain', value: 'x' },
    { type: UserInputEventType.FormSubmitEvent, name: 'home.gas.form', value: {} },
  ])('tells the home page alone of what is its own (%j)', async (event) => {
    const { click, answers, inputs, atHome } = setup();
    await click(event);
    expect(atHome).toStrictEqual([['dialog', event]]);
    expect([answers, inputs]).toStrictEqual([[], []]);
  });
});
