import { useCallback, useEffect, useRef, useState } from 'react';

/** Two minutes of this are below what a server takes. */
const BITS_PER_SECOND = 32_000;
const MAX_MS = 115_000;
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];

export interface Recorder {
  readonly isRecording: boolean;
  /** Rejects when the browser, or whoever sits in front of it, does not want to. */
  start(): Promise<void>;
  stop(): void;
  /** Nothing of it is sent. */
  cancel(): void;
}

/** Calls back with what was said, after two minutes at the latest. */
export function useRecorder(onRecorded: (recording: Blob) => void): Recorder {
  const [isRecording, setIsRecording] = useState(false);
  const recorder = useRef<MediaRecorder>(undefined);
  const isWanted = useRef(true);
  /** Whoever sits in front of the browser is being asked; aborted when nobody waits for the answer any more. */
  const asking = useRef<AbortController>(undefined);
  const latest = useRef(onRecorded);
  latest.current = onRecorded;

  const stop = useCallback(() => {
    if (recorder.current?.state === 'recording') recorder.current.stop();
  }, []);
  const cancel = useCallback(() => {
    isWanted.current = false;
    asking.current?.abort();
    stop();
  }, [stop]);
  useEffect(() => cancel, [cancel]);

  const start = useCallback(async () => {
    if (navigator.mediaDevices === undefined || typeof MediaRecorder === 'undefined') {
      throw new Error('The browser lets only pages of this machine or with HTTPS record sound.');
    }
    if (asking.current !== undefined) return;
    const asked = new AbortController();
    asking.current = asked;
    const stream = await openMicrophone().finally(() => {
      asking.current = undefined;
    });
    if (asked.signal.aborted) {
      closeMicrophone(stream);
      return;
    }
    const made = startRecording(stream);
    const parts: Blob[] = [];
    const timer = setTimeout(() => made.stop(), MAX_MS);
    made.ondataavailable = ({ data }) => parts.push(data);
    made.onstop = () => {
      clearTimeout(timer);
      closeMicrophone(stream);
      setIsRecording(false);
      if (isWanted.current) latest.current(new Blob(parts, { type: made.mimeType }));
    };
    isWanted.current = true;
    recorder.current = made;
    setIsRecording(true);
  }, []);

  return { isRecording, start, stop, cancel };
}

/** A microphone that can't be recorded is not left open. */
function startRecording(stream: MediaStream): MediaRecorder {
  try {
    const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    const made = new MediaRecorder(stream, {
      audioBitsPerSecond: BITS_PER_SECOND,
      ...(mimeType === undefined ? {} : { mimeType }),
    });
    made.start();
    return made;
  } catch (cause) {
    closeMicrophone(stream);
    throw new Error('This browser can not record what the microphone hears.', { cause });
  }
}

function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** In words, with what to do: what browsers say is for those who write pages. */
async function openMicrophone(): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch (cause) {
    const isForbidden = cause instanceof DOMException && cause.name === 'NotAllowedError';
    const words = isForbidden
      ? 'The browser does not let this page use the microphone. Allow it beside the address, then speak again.'
      : 'There is no microphone that can be used. Connect one, or close what uses it, then speak again.';
    throw new Error(words, { cause });
  }
}
