/** @jsxImportSource preact */
// The snap's settings.
import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import { Card, Output, SelectField, toFailure, useAction } from '../components';
import { useSession } from '../session';

type SettingsRow = {
  approvalMode: string;
  feeLevel: string;
  secondConfirmation: boolean;
  notifications: boolean;
};

const defaults: SettingsRow = {
  approvalMode: 'synchronous',
  feeLevel: 'medium',
  secondConfirmation: false,
  notifications: true,
};

const modes = [
  { value: 'synchronous', label: 'Signed at once (synchronous)' },
  { value: 'asynchronous', label: 'Wait on this page (asynchronous)' },
];

const levels = [
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
];

/** Draw them; each is saved as it is changed. */
export function Settings(): JSX.Element {
  const { provider, status } = useSession();
  const [settings, setSettings] = useState(defaults);
  const [problem, setProblem] = useState<string>();
  const action = useAction();
  const isReady = status?.state === 'ready';
  useEffect(() => {
    if (!isReady) return;
    const load = async (): Promise<void> => {
      const found = await provider.request({ method: 'tollkeeper_getSettings' });
      setSettings(found as SettingsRow);
    };
    load().catch((error: unknown) => setProblem(toFailure(error).message));
  }, [isReady, provider]);
  const save = (change: Partial<SettingsRow>): void =>
    void action.run(async () => {
      const request = { method: 'tollkeeper_setSettings', params: [change] };
      setSettings(await provider.request<SettingsRow>(request));
      return 'Saved.';
    });
  return (
    <Card title="Settings">
      {problem !== undefined && <p class="hint error">{problem}</p>}
      <SelectField
        label="What MetaMask asks to be signed"
        value={settings.approvalMode}
        options={modes}
        isDisabled={!isReady}
        onInput={(approvalMode) => save({ approvalMode })}
      />
      <SelectField
        label="Level of fees that are filled in"
        value={settings.feeLevel}
        options={levels}
        isDisabled={!isReady}
        onInput={(feeLevel) => save({ feeLevel })}
      />
      <Check
        label="Confirm here once more what MetaMask confirmed"
        isChecked={settings.secondConfirmation}
        isDisabled={!isReady}
        onChange={(secondConfirmation) => save({ secondConfirmation })}
      />
      <Check
        label="Tell what became of what was sent"
        isChecked={settings.notifications}
        isDisabled={!isReady}
        onChange={(notifications) => save({ notifications })}
      />
      <Output outcome={action.outcome} label="Answer about the settings" />
    </Card>
  );
}

function Check({
  label,
  isChecked,
  isDisabled,
  onChange,
}: {
  label: string;
  isChecked: boolean;
  isDisabled: boolean;
  onChange: (isChecked: boolean) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}
