/** What a candidate is judged by. Each is a number around 0 to 1; a weight says what it is worth. */
export const SIGNALS = [
  /** Share of the question's words in the text, each by how telling it is; in it and one turn around; two turns. */
  'covered',
  'coveredNear',
  'coveredAround',
  /** How telling the rarest of them is. */
  'rarest',
  /** The words of the question in its whole conversation, against the best conversation. */
  'conversationWords',
  /** The one speaker that the question names said it; −1: somebody else did. */
  'speaker',
  'speakerAboutOneself',
  /** It follows a question of somebody else, and that one has the words; or means the same. */
  'answersWords',
  'answersMeaning',
  /** Whatever is asked: it asks itself, is told by who lived it, names names, has rare words, opens a conversation. */
  'asks',
  'firstPerson',
  'capitals',
  'rareWords',
  'opens',
  /** Nearness in meaning: to the question as said by somebody who was there, to its statement, of what is around. */
  'meaningSaid',
  'meaningStated',
  'meaningBefore',
  'meaningAround',
  'meaningConversation',
  /** It has a time, a number, a name, a reason, and that is asked for. */
  'timeAsked',
  'time',
  'numberAsked',
  'placeAsked',
  'reasonAsked',
  /** Said in the month, close to the day that the question names. */
  'month',
  'day',
] as const;

export type Signal = (typeof SIGNALS)[number];

export type Weights = Readonly<Record<Signal, number>>;

/** The words that people are told about signals. */
export const SIGNAL_GROUPS: Readonly<Record<Signal, string>> = {
  covered: 'keyword',
  coveredNear: 'neighbours',
  coveredAround: 'neighbours',
  rarest: 'keyword',
  conversationWords: 'conversation',
  speaker: 'speaker',
  speakerAboutOneself: 'speaker',
  answersWords: 'answer',
  answersMeaning: 'answer',
  asks: 'text',
  firstPerson: 'text',
  capitals: 'text',
  rareWords: 'text',
  opens: 'text',
  meaningSaid: 'meaning',
  meaningStated: 'meaning',
  meaningBefore: 'neighbours',
  meaningAround: 'neighbours',
  meaningConversation: 'conversation',
  timeAsked: 'kind',
  time: 'text',
  numberAsked: 'kind',
  placeAsked: 'kind',
  reasonAsked: 'kind',
  month: 'date',
  day: 'date',
};
