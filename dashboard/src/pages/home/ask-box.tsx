import { ArrowRight } from 'lucide-react';
import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { DEFAULT_AGENT_ID } from '../../../../src/core/ids.ts';
import { newRoom, post } from '../../api/outbox.ts';
import { useDraft } from '../../api/use-draft.ts';
import { Button } from '../../kit/button.tsx';
import { TextInput } from '../../kit/fields.tsx';

/** The shortest way to an answer: what is typed here is sent by the chat that it opens. */
export function AskBox() {
  const [text, setText] = useDraft('ask');
  const [, navigate] = useLocation();
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const said = text.trim();
    if (said === '') return;
    // Kept until the server has it, whatever becomes of this page.
    post({ to: { kind: 'new', roomId: newRoom() }, agentId: DEFAULT_AGENT_ID, text: said }).then(
      ({ sessionId }) => {
        // Whoever went elsewhere meanwhile stays there.
        if (location.pathname.endsWith('/chat/new')) {
          navigate(`/chat/${sessionId}`, { replace: true });
        }
      },
      () => {},
    );
    setText('');
    // Not to the list: on a phone that is all there would be, and what is refused says so in the new chat.
    navigate('/chat/new');
  };
  return (
    <form onSubmit={ask} className="mb-8 flex gap-2">
      <TextInput
        aria-label="Ask your agent"
        placeholder="Ask your agent anything…"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-11 text-lg"
      />
      <Button type="submit" kind="primary" icon={ArrowRight} className="h-11 px-4">
        Ask
      </Button>
    </form>
  );
}
