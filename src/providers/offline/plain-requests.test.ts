import { expect, test } from 'vitest';
import { understandRequest } from './understand-request.ts';

/** What people type who have never read the help: the request, and the call that it stands for. */
const CALLS: readonly (readonly [request: string, tool: string, input: object])[] = [
  // Writing.
  ['write hello world to notes.txt', 'fs.write', { path: 'notes.txt', content: 'hello world\n' }],
  [
    'Please write hello world to notes.txt.',
    'fs.write',
    { path: 'notes.txt', content: 'hello world\n' },
  ],
  [
    'could you put milk and eggs in shopping.txt?',
    'fs.write',
    { path: 'shopping.txt', content: 'milk and eggs\n' },
  ],
  ['put milk in the file shopping', 'fs.write', { path: 'shopping', content: 'milk\n' }],
  [
    'save Call Anna at noon to todo.md, please',
    'fs.write',
    { path: 'todo.md', content: 'Call Anna at noon\n' },
  ],
  [
    'store the text good morning in a file called greeting.txt',
    'fs.write',
    { path: 'greeting.txt', content: 'good morning\n' },
  ],
  ['write "exactly this." to a.txt', 'fs.write', { path: 'a.txt', content: 'exactly this.' }],
  [
    'write x = 1 into src/config.py',
    'fs.write',
    { path: 'src/config.py', content: 'x = 1\n', create_parents: true },
  ],
  [
    'write go to the shop to list.txt',
    'fs.write',
    { path: 'list.txt', content: 'go to the shop\n' },
  ],
  ['write hi to "my notes.txt"', 'fs.write', { path: 'my notes.txt', content: 'hi\n' }],
  [
    'create a file hello.txt with hello there',
    'fs.write',
    { path: 'hello.txt', content: 'hello there\n' },
  ],
  [
    'create a new file named hello.txt containing hello there',
    'fs.write',
    { path: 'hello.txt', content: 'hello there\n' },
  ],
  [
    'Make a text file called todo.txt with the content buy bread',
    'fs.write',
    { path: 'todo.txt', content: 'buy bread\n' },
  ],
  [
    'create todo.md with - [ ] buy bread',
    'fs.write',
    { path: 'todo.md', content: '- [ ] buy bread\n' },
  ],
  [
    'create a file poem.txt that says roses are red',
    'fs.write',
    { path: 'poem.txt', content: 'roses are red\n' },
  ],
  [
    'write to log.txt: started at nine',
    'fs.write',
    { path: 'log.txt', content: 'started at nine' },
  ],
  ['create an empty file called new.txt', 'fs.append', { path: 'new.txt', content: '' }],
  ['create a file called new.txt', 'fs.append', { path: 'new.txt', content: '' }],
  ['touch new.txt', 'fs.append', { path: 'new.txt', content: '' }],
  // Appending.
  [
    'append the line buy milk to shopping.txt',
    'fs.append',
    { path: 'shopping.txt', content: 'buy milk\n' },
  ],
  ['append buy milk to shopping.txt', 'fs.append', { path: 'shopping.txt', content: 'buy milk\n' }],
  ['add buy milk to shopping.txt', 'fs.append', { path: 'shopping.txt', content: 'buy milk\n' }],
  [
    'Can you add "two words" to the file notes.txt?',
    'fs.append',
    { path: 'notes.txt', content: 'two words\n' },
  ],
  [
    'add a line saying see you soon to letter.txt',
    'fs.append',
    { path: 'letter.txt', content: 'see you soon\n' },
  ],
  [
    'add the line done to the end of log/today.txt',
    'fs.append',
    { path: 'log/today.txt', content: 'done\n', create_parents: true },
  ],
  [
    'append to notes.txt: remember the milk',
    'fs.append',
    { path: 'notes.txt', content: 'remember the milk\n' },
  ],
  // Reading.
  ['read notes.txt', 'fs.read', { path: 'notes.txt' }],
  ['read the file README', 'fs.read', { path: 'README' }],
  ["what's in notes.txt", 'fs.read', { path: 'notes.txt' }],
  ['What is in the file notes.txt?', 'fs.read', { path: 'notes.txt' }],
  ['what does notes.txt say?', 'fs.read', { path: 'notes.txt' }],
  ['show notes.txt', 'fs.read', { path: 'notes.txt' }],
  ['show me what is in notes.txt', 'fs.read', { path: 'notes.txt' }],
  ['show me the contents of docs/guide.md please', 'fs.read', { path: 'docs/guide.md' }],
  ['open package.json', 'fs.read', { path: 'package.json' }],
  ['let me see package.json', 'fs.read', { path: 'package.json' }],
  ['I want to read my notes.txt', 'fs.read', { path: 'notes.txt' }],
  ['read meeting notes.txt', 'fs.read', { path: 'meeting notes.txt' }],
  ['Hey, print src/main.ts!', 'fs.read', { path: 'src/main.ts' }],
  // Deleting and renaming.
  ['delete notes.txt', 'fs.delete', { path: 'notes.txt' }],
  ['please delete the file old/notes.txt, thanks', 'fs.delete', { path: 'old/notes.txt' }],
  ['remove notes.txt', 'fs.delete', { path: 'notes.txt' }],
  ['rm notes.txt', 'fs.delete', { path: 'notes.txt' }],
  ['get rid of the file notes.txt.', 'fs.delete', { path: 'notes.txt' }],
  ['delete "my old notes.txt"', 'fs.delete', { path: 'my old notes.txt' }],
  ['rename a.txt to b.txt', 'fs.move', { src: 'a.txt', dst: 'b.txt' }],
  ['Rename the file a.txt to b.txt, please.', 'fs.move', { src: 'a.txt', dst: 'b.txt' }],
  [
    'move a.txt to archive/a.txt',
    'fs.move',
    { src: 'a.txt', dst: 'archive/a.txt', create_parents: true },
  ],
  [
    'move a.txt into the folder archive',
    'fs.move',
    { src: 'a.txt', dst: 'archive/a.txt', create_parents: true },
  ],
  [
    'mv docs/a.txt archive/',
    'fs.move',
    { src: 'docs/a.txt', dst: 'archive/a.txt', create_parents: true },
  ],
  ['change the name of a.txt to b.txt', 'fs.move', { src: 'a.txt', dst: 'b.txt' }],
  [
    'rename "my file.txt" to "your file.txt"',
    'fs.move',
    { src: 'my file.txt', dst: 'your file.txt' },
  ],
  // Listing and finding files.
  ['list files', 'fs.list', { path: '.' }],
  ['list my files', 'fs.list', { path: '.' }],
  ['show me the files', 'fs.list', { path: '.' }],
  ['Which files do I have?', 'fs.list', { path: '.' }],
  ['what files are in the workspace?', 'fs.list', { path: '.' }],
  ['which files are in my workspace?', 'fs.list', { path: '.' }],
  ["what's in this folder?", 'fs.list', { path: '.' }],
  ["what's in the folder src?", 'fs.list', { path: 'src' }],
  ['list everything in docs', 'fs.list', { path: 'docs' }],
  ['list the docs folder', 'fs.list', { path: 'docs' }],
  ['list src/core', 'fs.list', { path: 'src/core' }],
  ['show the contents of the directory src/core', 'fs.list', { path: 'src/core' }],
  ['dir', 'fs.list', { path: '.' }],
  ['find all .md files', 'fs.glob', { pattern: '**/*.md' }],
  ['list all *.ts files in src', 'fs.glob', { pattern: 'src/**/*.ts' }],
  ['where is notes.txt?', 'fs.glob', { pattern: '**/notes.txt' }],
  ['find the file notes.txt', 'fs.glob', { pattern: '**/notes.txt' }],
  // Searching.
  ['find TODO in src', 'code.search', { pattern: 'TODO', path: 'src' }],
  ['search for TODO', 'code.search', { pattern: 'TODO' }],
  ['search src for hello world', 'code.search', { pattern: 'hello world', path: 'src' }],
  [
    'look for the word secret in notes.txt',
    'code.search',
    { pattern: 'secret', path: 'notes.txt' },
  ],
  ['grep main in src/app.ts', 'code.search', { pattern: 'main', path: 'src/app.ts' }],
  ['which files contain the word budget?', 'code.search', { pattern: 'budget' }],
  ['where is parseConfig used?', 'code.search', { pattern: 'parseConfig' }],
  ['search the files for a+b', 'code.search', { pattern: 'a\\+b' }],
  // The time.
  ['what time is it', 'time.now', {}],
  ['What time is it in Berlin?', 'time.now', {}],
  ["what's the date today?", 'time.now', {}],
  ['what day is it?', 'time.now', {}],
  ['time please', 'time.now', {}],
  ['do you know what time it is?', 'time.now', {}],
  ['tell me the current time in New York', 'time.now', {}],
  // Schedules.
  [
    'remind me in 5 minutes to stretch',
    'scheduler.add',
    { schedule: '@in 5m', message: 'Reminder: stretch' },
  ],
  [
    'Remind me to call Bob in two hours.',
    'scheduler.add',
    { schedule: '@in 2h', message: 'Reminder: call Bob' },
  ],
  [
    'in 30 seconds remind me to drink',
    'scheduler.add',
    { schedule: '@in 30s', message: 'Reminder: drink' },
  ],
  [
    'remind me in half an hour that the oven is on',
    'scheduler.add',
    { schedule: '@in 30m', message: 'Reminder: the oven is on' },
  ],
  [
    'every 2 hours list the files',
    'scheduler.add',
    { schedule: '@every 2h', message: 'list the files' },
  ],
  [
    'remind me every day to water the plants',
    'scheduler.add',
    { schedule: '@every 24h', message: 'Reminder: water the plants' },
  ],
  [
    'schedule "list files" every 30 minutes',
    'scheduler.add',
    { schedule: '@every 30m', message: 'list files' },
  ],
  ['list my reminders', 'scheduler.list', {}],
  ['what is scheduled?', 'scheduler.list', {}],
  ['show my jobs', 'scheduler.list', {}],
  ['remove the job job_daily', 'scheduler.remove', { id: 'job_daily' }],
  ['cancel reminder job_01', 'scheduler.remove', { id: 'job_01' }],
  // What the runtime knows.
  ['list my runs', 'run.list', {}],
  ['show me the last 5 runs', 'run.list', { limit: 5 }],
  ['which runs failed?', 'run.list', { status: 'failed' }],
  ['show run run_01jv8z4q0k6c', 'run.get', { run_id: 'run_01jv8z4q0k6c' }],
  ['list my conversations', 'session.list', {}],
  ['which agents are there?', 'agent.list', {}],
];

test.each(CALLS)('%j calls %s', (request, tool, input) => {
  expect(understandRequest(request)).toEqual({ kind: 'call', tool, input });
});

test.each([
  ['which tools do you have', 'tools'],
  ['What tools can you use?', 'tools'],
  ['list your tools please', 'tools'],
  ['help', 'help'],
  ['Help me!', 'help'],
  ['what can you do?', 'help'],
  ['?', 'help'],
])('%j is about the model itself: %s', (request, kind) => {
  expect(understandRequest(request)).toEqual({ kind });
});

/** Guessing would destroy or invent something. */
test.each([
  ['delete it', /which file/i],
  ['delete everything', /one at a time/i],
  ['delete all files', /one at a time/i],
  ['delete *.txt', /one at a time/i],
  ['delete a.txt and b.txt', /one at a time/i],
  ['rm -rf src', /one at a time/i],
  ['delete old report.txt', /in quotes/i],
  ['delete the folder build', /recursive/],
  ['delete my account', /which file/i],
  ['rename my report.txt to report for anna.txt', /in quotes/i],
  ['rename a.txt', /to what/i],
  ['move a.txt to archive', /folder/i],
  ['copy a.txt to b.txt', /copy/i],
  ['make a folder called x', /folder/i],
  ['write hello', /which file/i],
  ['write to x.txt', /what should i write.*to x\.txt$/i],
  ['save to the file "my x.txt"', /what should i write.*to "my x\.txt"$/i],
  ['append to x.txt', /what should i write.*append .* to x\.txt$/i],
  ['write to everyone', /which file/i],
  ['write hello to everyone', /which file/i],
  ['add milk to my shopping list', /which file/i],
  ['write a poem about cats to cats.txt', /in quotes/i],
  ['search the web for cats', /network|web/i],
  ['remind me to stretch', /when/i],
  ['remind me tomorrow at 9 to call Bob', /claw schedule add/],
  ['remind me in 5 minutes', /of what/i],
])('asks back instead of guessing: %j', (request, question) => {
  const wish = understandRequest(request);

  expect(wish.kind).toBe('say');
  expect(wish.kind === 'say' ? wish.text : '').toMatch(question);
});

test.each([
  'Summarize the news',
  'What is the meaning of life?',
  'read between the lines of this story and tell me more',
  'show me the money',
  'tell me about the date of the meeting',
  'I deleted notes.txt yesterday',
  'do not delete notes.txt',
  "don't write anything to notes.txt",
  'why did you delete notes.txt?',
  'how do I rename a file?',
])('leaves to a real model what is no request for a tool: %j', (request) => {
  expect(understandRequest(request)).toEqual({ kind: 'unclear' });
});

test('says a reminder when its time has come', () => {
  expect(understandRequest('Reminder: stretch')).toEqual({
    kind: 'say',
    text: 'Reminder: stretch',
  });
});

test('writes a text that is longer than a sentence whole or not at all', () => {
  const text = 'line\n'.repeat(20_000);

  expect(understandRequest(`write to long.txt: ${text}`)).toEqual({
    kind: 'call',
    tool: 'fs.write',
    input: { path: 'long.txt', content: text },
  });
  expect(understandRequest(`write ${text} to long.txt`).kind).not.toBe('call');
});
