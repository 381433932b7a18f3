import type { Dialogue } from './dialogues.ts';

/**
 * Invented for this repository, so that the quality of search is tested everywhere. Small: its figures tell when
 * something broke, not how good the search is.
 */
const TEXT = `
# garden
## 2024-03-02
Mara: Hi Oskar! I finally rented the allotment behind the old brewery.
Oskar: Congratulations! What will you plant first?
Mara: Potatoes and a row of sweet peas, because my grandmother always had them.
Oskar: Lovely. I am still busy with the bakery, we open at five every morning.
Mara: Five! I could never do that.
Oskar: You get used to it. My daughter Lene helps me on Saturdays.
## 2024-04-20
Oskar: How is the allotment doing?
Mara: Slugs ate every lettuce I had. I was furious.
Oskar: Try copper tape, it worked for my neighbour.
Mara: Good idea, I will. How was your trip to Porto?
Oskar: Wonderful! We stayed in a small pension by the river and ate too much.
Mara: I am jealous. I have not had a holiday since 2021.
Oskar: Then come along next time.
## 2024-06-15
Mara: I adopted a dog from the shelter, a grey greyhound called Pixel.
Oskar: A greyhound! Is she fast?
Mara: Only when she sees a cat. Otherwise she sleeps eighteen hours a day.
Oskar: My bread oven broke on Monday, I had to throw away two hundred rolls.
Mara: Oh no. Was it expensive to repair?
Oskar: The technician wanted nine hundred euros. I borrowed it from my brother.
Mara: I hope the festival next week makes up for it.
## 2024-09-08
Oskar: We won the regional prize for our rye loaf!
Mara: That is fantastic, you deserve it. I brought in forty kilos of potatoes.
Oskar: What do you do with so many?
Mara: Most of them go to the soup kitchen where I volunteer on Thursdays.
Oskar: You are a good person. Lene starts to study chemistry in Graz in October.
Mara: She must be excited. Pixel had surgery on her paw but she is fine again.
? When did Mara rent the allotment? | 1:1
? What did Mara plant first? | 1:3
? Who helps Oskar in the bakery at the weekend? | 1:6
? What ate Mara's lettuce? | 2:2
? What did Oskar recommend against slugs? | 2:3
? Where did Oskar stay in Porto? | 2:5
? What kind of dog does Mara have? | 3:1
? What is the name of Mara's pet? | 3:1
? How much did the repair of the oven cost? | 3:6
? Who lent Oskar money? | 3:6
? What did Oskar win? | 4:1
? Where does Mara volunteer? | 4:4
? What does Oskar's daughter study? | 4:5
? What happened to Pixel in September 2024? | 4:6
? Why does Mara grow sweet peas? | 1:3
? When did Mara last go on holiday? | 2:6
# orbit
## 2025-01-11
Nadia: Our telemetry server ran out of disk last night.
Femi: Again? I thought we rotate the logs every six hours.
Nadia: The rotation stopped after the upgrade to version 4.2.
Femi: I will write a check for it. What was the error?
Nadia: ERR-5512, no space left on device.
Femi: Thanks. By the way, the ground station in Kiruna is online again.
## 2025-01-25
Femi: The check is done, it warns at eighty percent.
Nadia: Great. Did you talk to Ilse about the antenna?
Femi: Yes, she says the motor has to be replaced before the thaw.
Nadia: Then let us order it from the supplier in Turin.
Femi: They need six weeks. I asked for an offer anyway.
Nadia: My flight to the conference in Lyon is booked for the tenth of March.
## 2025-02-19
Nadia: I passed my amateur radio exam!
Femi: Congratulations! Which call sign did you get?
Nadia: SM2XKQ. I already talked with somebody in Brazil.
Femi: My wife and I bought a wooden house by the lake.
Nadia: How nice! When do you move?
Femi: At the end of May, after the school year of the twins.
Nadia: You will need a boat.
## 2025-03-30
Femi: The new motor arrived from Italy this morning.
Nadia: Finally. My talk in Lyon went well, sixty people came.
Femi: What did they ask about?
Nadia: Mostly about how we compress the images on board.
Femi: Did you tell them it is a simple wavelet?
Nadia: I did, and they laughed. I also met Professor Okoye, who wants our data.
Femi: The twins adopted a hedgehog, it lives under the stairs.
? What happened to the telemetry server? | 1:1
? Which error did the server show? | 1:5
? ERR-5512 | 1:5
? Which ground station works again? | 1:6
? When does Femi's check warn? | 2:1
? What has to be replaced on the antenna? | 2:3
? How long does the supplier need for the motor? | 2:5
? When does Nadia fly to Lyon? | 2:6
? What exam did Nadia pass? | 3:1
? What is Nadia's call sign? | 3:3
? What did Femi and his wife buy? | 3:4
? When will Femi move to the new house? | 3:6
? When did the motor arrive? | 4:1
? How many people came to Nadia's talk? | 4:2
? What were people curious about at the conference? | 4:4
? Who wants the data? | 4:6
? What pet do Femi's children have? | 4:7
? Why did the disk fill up? | 1:1 1:3
# notes
## 2025-05-04
The customer Halden wants invoices as PDF, in Norwegian, on the first of each month.
Staging database: host pg-stage-3, port 6432, user reporting.
Backups are kept for thirty-five days and tested every second Friday.
## 2025-05-12
Decision: we use the blue theme for the new portal, because tests showed fewer mistakes.
The contract with Halden ends in December 2026; notice period three months.
Tamsin prefers calls before noon and never on Wednesdays.
## 2025-06-01
Die Prüfung der Feuerlöscher ist am 14. Juni, bitte die Türen offen lassen.
社内の勉強会は毎週金曜日の午後に開催します。
The printer on the second floor needs toner TN-2420.
? In what language does Halden want invoices? | 1:1
? Which port has the staging database? | 1:2
? pg-stage-3 | 1:2
? How long are backups kept? | 1:3
? Why was the blue theme chosen? | 2:1
? When does the contract with Halden end? | 2:2
? When should I not call Tamsin? | 2:3
? Wann werden die Feuerlöscher geprüft? | 3:1
? 勉強会はいつですか | 3:2
? Which toner does the printer take? | 3:3
`;

export const OWN_DIALOGUES: readonly Dialogue[] = parse(TEXT);

function parse(text: string): Dialogue[] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.trim().split('\n');
      return parseDialogue(name, lines);
    });
}

function parseDialogue(name: string, lines: readonly string[]): Dialogue {
  const turns: Dialogue['turns'][number][] = [];
  const questions: Dialogue['questions'][number][] = [];
  let session = 0;
  let place = 0;
  let atMs = 0;
  for (const line of lines) {
    if (line.startsWith('## ')) {
      session += 1;
      place = 0;
      atMs = Date.parse(line.slice(3));
    } else if (line.startsWith('? ')) {
      const [question = '', evidence = ''] = line.slice(2).split(' | ');
      questions.push({ text: question, category: 'own', evidence: evidence.split(' ') });
    } else {
      place += 1;
      turns.push({ key: `${session}:${place}`, session: `${session}`, atMs, text: line });
    }
  }
  return { name, turns, questions };
}
