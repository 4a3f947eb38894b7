// Commands of MetaMask's execution service, as the installed environment expects them.
import environment from '@metamask/snaps-execution-environments/package.json' with { type: 'json' };

/** What the parameter with the snap's ID is called: the service of version 17 knows the older name alone. */
const SNAP_ID = Number.parseInt(environment.version, 10) < 11 ? 'target' : 'snapId';

type Command = { data?: { method?: string; params?: Record<string, unknown> } };

type Write = (chunk: Command, ...rest: unknown[]) => boolean;

/** Has a service's stream name the snap of a request as the environment does. */
export function adaptCommands<Stream extends object>(stream: Stream): Stream {
  // It is a Duplex of readable-stream, which comes without types.
  const untyped = stream as { write: Write };
  const write = untyped.write.bind(stream);
  untyped.write = (chunk, ...rest) => {
    if (chunk.data?.method !== 'snapRpc') return write(chunk, ...rest);
    const { target, snapId = target, ...others } = chunk.data.params ?? {};
    const data = { ...chunk.data, params: { ...others, [SNAP_ID]: snapId } };
    return write({ ...chunk, data }, ...rest);
  };
  return stream;
}
