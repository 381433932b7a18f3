/** What `claw serve` does, in order, from the command line to the first request. */
export const START_STAGES: readonly string[] = [
  'command line and environment: find the command, load it alone, listen for signals',
  'state root: create what is missing, read and check the configuration',
  'logging: metrics, and a logger that redacts what is secret',
  'secrets: open the secret store; traces, where they are configured',
  'storage: take the server lock, open the database, migrate it, take over runs of the last server',
  'conversations: sessions, mail between agents, jobs, and the tools for them',
  'tools: toolbox, sandbox, grants, policy, reliability layer; external servers connect in the background',
  'runs: models, run engine, approvals, effects',
  'records: make sure of the first agent, start the expiry of approvals, audit files and bundles',
  'runner: take up runs once external servers were tried, at most 3 seconds, holding up nothing else',
  'scheduler: fire the jobs that are due',
  'surfaces: mount the HTTP contracts, listen, publish the address in the state root',
];
