// A snap's interface in front of the person: what it shows, and what they do with it,
// sent to the snap as MetaMask's UI sends it.
import type {
  SnapController,
  SnapInterfaceController,
} from '@metamask/snaps-controllers';
import type { FormState, InterfaceState, SnapId, State } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { HandlerType } from '@metamask/snaps-utils';

import { getElement, toText } from './jsx';

/** What a person sees of a snap and can do with it. */
export type Screen = {
  readonly snapId: string;
  readonly interfaceId: string;
  /** The tree shown now, or last before it was closed. */
  readonly content: JSXElement;
  /** All of its text, one line for each block. */
  readonly text: string;
  /** The values of its fields, by name or by form and name. */
  readonly values: InterfaceState;
  /**
   * Press a button; a submit button submits its form. Resolves when the snap has
   * handled it, rejects if the snap failed to.
   */
  click(name: string): Promise<void>;
  /** Type into, choose in, tick or upload to a field. */
  fill(name: string, value: State): Promise<void>;
  /** Submit a form. */
  submit(form: string): Promise<void>;
};

/** The controllers behind a screen. */
export type ScreenPorts = {
  snaps: Pick<SnapController, 'handleRequest'>;
  interfaces: Pick<SnapInterfaceController, 'getInterface' | 'updateInterfaceState'>;
};

type Event = { type: string; name: string; value?: unknown; file?: State };

/**
 * Open a screen on an interface.
 *
 * @param ports - The controllers.
 * @param snapId - The snap that made the interface.
 * @param interfaceId - The interface.
 * @returns The screen.
 */
export function createScreen(
  ports: ScreenPorts,
  snapId: string,
  interfaceId: string,
): Screen {
  const id = snapId as SnapId;
  let last = ports.interfaces.getInterface(id, interfaceId);

  function read(): typeof last {
    try {
      last = ports.interfaces.getInterface(id, interfaceId);
    } catch {
      // Closed: the last state is what remains.
    }
    return last;
  }

  async function send(event: Event): Promise<void> {
    const { context } = read();
    await ports.snaps.handleRequest({
      snapId: id,
      origin: 'metamask',
      handler: HandlerType.OnUserInput,
      request: { method: ' ', params: { event, id: interfaceId, context } },
    });
  }

  const submit = (form: string): Promise<void> =>
    send({ type: 'FormSubmitEvent', name: form, value: read().state[form] });

  return {
    snapId,
    interfaceId,
    get content() {
      return read().content;
    },
    get text() {
      return toText(read().content);
    },
    get values() {
      return read().state;
    },
    async click(name) {
      const { element, form } = getElement(read().content, name);
      await send({ type: 'ButtonClickEvent', name });
      const submits = 'type' in element.props && element.props.type === 'submit';
      if (form !== undefined && submits) await submit(form);
    },
    async fill(name, value) {
      const { element, form } = getElement(read().content, name);
      const { state } = read();
      ports.interfaces.updateInterfaceState(
        interfaceId,
        form === undefined
          ? { ...state, [name]: value }
          : { ...state, [form]: { ...(state[form] as FormState), [name]: value } },
      );
      await send(
        element.type === 'FileInput'
          ? { type: 'FileUploadEvent', name, file: value }
          : { type: 'InputChangeEvent', name, value },
      );
    },
    submit,
  };
}
