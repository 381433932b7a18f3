import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openAudio } from './open-audio.ts';
import { Refusal } from './refusal.ts';
import type {
  SpeechAnswer,
  SpeechJob,
  SpeechResults,
  SpeechThreadData,
} from './speech-protocol.ts';

/** Entry of the threads that look at recordings, hear and speak. Each part is loaded by the first job that needs it. */
function serve(port: MessagePort, { folder }: SpeechThreadData): void {
  const moonshine = once(async () => (await import('./moonshine.ts')).loadMoonshine(folder));
  const flite = once(async () => (await import('./flite.ts')).loadFlite(folder));

  async function work(job: SpeechJob): Promise<SpeechResults[SpeechJob['kind']]> {
    switch (job.kind) {
      case 'inspect': {
        const { format, durationMs } = await openAudio(job.bytes);
        return { format, durationMs };
      }
      case 'transcribe': {
        const { decodeAudio } = await import('./decode-audio.ts');
        const samples = await decodeAudio(job.bytes);
        return (await moonshine()).transcribe(samples);
      }
      case 'speak':
        return (await flite()).speak(job.text, job.voice);
    }
  }

  port.on('message', (job: SpeechJob) => {
    work(job).then(
      (value) => port.postMessage({ outcome: 'done', value } satisfies SpeechAnswer),
      (thrown: unknown) => {
        const problem = thrown instanceof Error ? thrown.message : String(thrown);
        const outcome = thrown instanceof Refusal ? 'refused' : 'failed';
        port.postMessage({ outcome, problem } satisfies SpeechAnswer);
      },
    );
  });
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

if (parentPort) serve(parentPort, workerData as SpeechThreadData);
