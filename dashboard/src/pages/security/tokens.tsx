import { Card, Section } from '../../kit/page.tsx';

/** Tokens are never on a page: it tells how to handle them where they are. */
export function Tokens() {
  return (
    <Section
      title="The token"
      hint="It opens the whole API. It is shown on no page and kept by no browser."
    >
      <Card className="space-y-2 p-4 text-sm">
        <p>
          It is read from <code>API_BEARER_TOKEN</code>, or from the file <code>token</code> in the
          state folder, which only its owner can read.
        </p>
        <p>
          To change it, write another one there and restart the server. Every browser is signed out
          by that, and every program needs the new one.
        </p>
        <p>
          <code>claw dashboard</code> prints a link that signs one browser in, once, without showing
          the token to anybody.
        </p>
      </Card>
    </Section>
  );
}
