import { Page } from '../../kit/page.tsx';
import { Checklist } from './checklist.tsx';
import { SignIns } from './sign-ins.tsx';
import { Tokens } from './tokens.tsx';

export function SecurityPage() {
  return (
    <Page
      title="Security"
      lead="Whether this server may be opened to the world, and who is signed in."
    >
      <Checklist />
      <SignIns />
      <Tokens />
    </Page>
  );
}
