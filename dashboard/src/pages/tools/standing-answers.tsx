import { useState } from 'react';
import type { StandingAnswerShape } from '../../../../src/operations/approvals/approval-shapes.ts';
import {
  listStandingAnswers,
  withdrawAnswer,
} from '../../../../src/operations/approvals/approvals.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';
import { toast } from '../../kit/toasts.tsx';

/** Rules are written elsewhere too, and no event tells of them. */
const EVERY_MS = 10_000;

/** What nobody is asked about any more, until it is taken back here. */
export function StandingAnswers() {
  const standing = useRead(listStandingAnswers, {}, { everyMs: EVERY_MS });
  const [doomed, setDoomed] = useState<StandingAnswerShape>();
  return (
    <Section
      id="standing"
      title="Standing answers"
      hint="What is allowed for always, by an answer or by a rule of the settings: nobody is asked about it."
    >
      <Loaded query={standing} rows={1}>
        {({ answers }) =>
          answers.length === 0 ? (
            <p className="text-sm text-muted">There are none.</p>
          ) : (
            <Table
              label="Standing answers"
              rows={answers}
              keyOf={({ id }) => id}
              columns={[
                { label: 'Tool', cell: ({ tool }) => tool },
                {
                  label: 'What is allowed',
                  cell: ({ allows }) => <span className="break-words">{allows}</span>,
                },
                {
                  label: '',
                  align: 'right',
                  cell: (answer) => (
                    <Button
                      size="small"
                      aria-label={`Withdraw: ${answer.allows}`}
                      onClick={() => setDoomed(answer)}
                    >
                      Withdraw
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {doomed === undefined ? null : (
        <Withdrawal answer={doomed} onClose={() => setDoomed(undefined)} />
      )}
    </Section>
  );
}

interface WithdrawalProps {
  readonly answer: StandingAnswerShape;
  readonly onClose: () => void;
}

function Withdrawal({ answer: { id, allows }, onClose }: WithdrawalProps) {
  const withdraw = useWrite(withdrawAnswer, {
    changes: ['config'],
    onDone: () => {
      toast('It is asked about again.');
      onClose();
    },
  });
  return (
    <Confirm
      title="Ask about this again?"
      action="Withdraw"
      write={withdraw}
      onConfirm={() => withdraw.mutate({ params: { answer_id: id } })}
      onClose={onClose}
    >
      <p className="break-words">{`${allows}: this is taken out of the settings, at once.`}</p>
    </Confirm>
  );
}
