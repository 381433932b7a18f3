import { BadgeCheck, Ban } from 'lucide-react';
import { useState } from 'react';
import type { SkillDetailShape } from '../../../../../src/operations/skills/skill-shapes.ts';
import { publishSkill, withdrawSkill } from '../../../../../src/operations/skills/skills.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/dialog.tsx';
import { toast } from '../../../kit/toasts.tsx';

/** Both are for good: what is released stays as it is, what is withdrawn does not come back. */
export function SkillActions({ skill }: { readonly skill: SkillDetailShape }) {
  const [asked, setAsked] = useState<'release' | 'withdraw'>();
  const close = () => setAsked(undefined);
  const done = (words: string) => () => {
    close();
    toast(words);
  };
  const release = useWrite(publishSkill, { onDone: done('It is released.') });
  const withdraw = useWrite(withdrawSkill, { onDone: done('It is withdrawn.') });
  const input = { params: { skill_id: skill.skill_id, version: skill.version } };
  const name = `${skill.skill_id}, version ${skill.version}`;
  const canRelease = skill.release === null && skill.state !== null && skill.state !== 'deprecated';
  const canWithdraw = skill.state !== null && skill.state !== 'deprecated' && !skill.built_in;
  return (
    <>
      {canRelease ? (
        <Button kind="primary" icon={BadgeCheck} onClick={() => setAsked('release')}>
          Release
        </Button>
      ) : null}
      {canWithdraw ? (
        <Button kind="danger" icon={Ban} onClick={() => setAsked('withdraw')}>
          Withdraw
        </Button>
      ) : null}
      {asked === 'release' ? (
        <Confirm
          title={`Release ${name}?`}
          action="Release"
          write={release}
          onConfirm={() => release.mutate(input)}
          onClose={close}
        >
          It is signed with this runtime's key, agents are told of it, and this version stays as it
          is for good. Read its instructions first: agents follow them.
        </Confirm>
      ) : null}
      {asked === 'withdraw' ? (
        <Confirm
          title={`Withdraw ${name}?`}
          action="Withdraw"
          write={withdraw}
          onConfirm={() => withdraw.mutate(input)}
          onClose={close}
        >
          Agents are no longer told of this version. It stays readable, and it can't be taken back.
        </Confirm>
      ) : null}
    </>
  );
}
