import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Button } from '../../../kit/button.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { Skeleton } from '../../../kit/loaded.tsx';
import { type ExchangeActions, ExchangeView } from './exchange-view.tsx';
import { NearnessContext, useNear, useNearness } from './nearness.ts';
import { useScroll } from './use-scroll.ts';
import type { Transcript } from './use-transcript.ts';

interface TranscriptViewProps {
  readonly sessionId: string;
  readonly transcript: Transcript;
  readonly actions: ExchangeActions;
  /** The exchange that a link leads to. */
  readonly at: number | undefined;
  /** Below the last exchange: what is on its way. */
  readonly children: ReactNode;
}

/** More than fit on a screen. */
const SHOWN_AT_FIRST = 6;

/** The column that is read. */
export function TranscriptView(props: TranscriptViewProps) {
  const { sessionId, transcript, actions, at, children } = props;
  const { exchanges, isLoading, error, hasEarlier, isLoadingEarlier, loadEarlier } = transcript;
  const first = exchanges[0];
  const marked = exchanges.find(({ number }) => number === at)?.key;
  const scroll = useScroll({ sessionId, first: first?.key, at: marked });
  const nearness = useNearness(scroll.box);
  const current = exchanges.find(({ isOver }) => !isOver)?.key;
  // Of an exchange that is loaded in part the beginning is wanted.
  const isMissing = at !== undefined && first !== undefined && first.number >= at && hasEarlier;
  useEffect(() => {
    if (isMissing && !isLoadingEarlier) loadEarlier();
  }, [isMissing, isLoadingEarlier, loadEarlier]);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroll.box}
        role="region"
        aria-label="Conversation"
        tabIndex={0}
        onScroll={scroll.onScroll}
        onWheel={({ deltaY }) => {
          // Who turns back while it grows is not pulled to its end again.
          if (deltaY < 0) scroll.hold();
          scroll.release();
        }}
        onTouchMove={scroll.release}
        onPointerDown={scroll.release}
        onKeyDown={scroll.release}
        onClickCapture={({ target }) => {
          if (target instanceof Element && target.closest('[aria-expanded]')) scroll.hold();
        }}
        className="h-full overflow-y-auto [overflow-anchor:none]"
      >
        <div
          ref={scroll.content}
          className="mx-auto max-w-[46rem] space-y-8 px-4 py-6 text-[0.9375rem] leading-relaxed sm:px-6"
        >
          {error === null ? null : <ErrorNote error={error} onRetry={transcript.refresh} />}
          {isLoading && error === null ? <Skeleton rows={5} /> : null}
          <NearnessContext value={nearness}>
            {hasEarlier ? (
              <Earlier key={first?.key} isBusy={isLoadingEarlier} onLoad={loadEarlier} />
            ) : null}
            {exchanges.map((exchange, index) => (
              <ExchangeView
                key={exchange.key}
                exchange={exchange}
                isCurrent={exchange.key === current}
                isMarked={exchange.key === marked}
                isNearAtFirst={index >= exchanges.length - SHOWN_AT_FIRST}
                actions={actions}
              />
            ))}
          </NearnessContext>
          {children}
        </div>
      </div>
      {scroll.isAtEnd ? null : (
        <div className="absolute inset-x-0 bottom-3 flex justify-center">
          <Button size="small" icon={ArrowDown} className="shadow-md" onClick={scroll.toEnd}>
            To the newest
          </Button>
        </div>
      )}
    </div>
  );
}

interface EarlierProps {
  readonly isBusy: boolean;
  readonly onLoad: () => void;
}

/** Older messages come when somebody gets near them, or asks. */
function Earlier({ isBusy, onLoad }: EarlierProps) {
  const { element, isNear } = useNear<HTMLDivElement>();
  useEffect(() => {
    if (isNear) onLoad();
  }, [isNear, onLoad]);
  return (
    <div ref={element} className="flex justify-center">
      <Button size="small" kind="quiet" isBusy={isBusy} onClick={onLoad}>
        Show earlier messages
      </Button>
    </div>
  );
}
