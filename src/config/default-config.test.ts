import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';
import { loadConfig } from './load-config.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-config-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('without a file every default holds', async () => {
  const { config, credentials, workspaceDir, traces, allowScriptedModel } = await loadConfig({
    root,
    env: readEnvironment({}),
    flags: {},
  });

  expect(config).toEqual({
    version: 1,
    server: {
      bind_address: '127.0.0.1',
      port: 3000,
      allowed_hosts: [],
      allowed_origins: [],
      max_body_bytes: 1_048_576,
      request_timeout_ms: 30_000,
      max_connections: 1024,
      max_streams: 512,
      shutdown_notice_ms: 250,
      metrics_public: false,
      trust_proxy: false,
    },
    api: {
      rate_limit_max: 600,
      rate_limit_window_ms: 60_000,
      auth_failures_per_minute: 20,
      sign_in_idle_days: 30,
      sign_in_max_days: 90,
    },
    remote_access: { provider: 'none' },
    model: {
      default: null,
      max_output_tokens: 8192,
      request_timeout_ms: 90_000,
      max_retries: 3,
      text_tool_call_models: [],
    },
    providers: {
      openai: {},
      anthropic: {},
      openrouter: {},
      google: {},
      ollama: {},
      openai_compatible: {},
    },
    prices: { 'offline/rules': { input_per_million: 0, output_per_million: 0 } },
    costs: { default_project_budget_usd: null },
    engine: {
      max_concurrent_runs: 64,
      max_queued_runs: 1000,
      lease_ms: 30_000,
      default_run_timeout_ms: 1_200_000,
      max_turns: 30,
      max_run_tokens: 1_000_000,
      max_run_cost_usd: null,
      max_recoveries: 20,
      shutdown_grace_ms: 5_000,
      delta_batch_ms: 50,
    },
    agents: { require_global_memory_approval: false },
    chat: {
      enabled: true,
      default_agent_id: 'agent_default',
      allow_users: [],
      allow_rooms: [],
      rate_limit_per_min: 20,
      global_rate_limit_per_min: 120,
    },
    sessions: {
      max_message_chars: 1400,
      max_summary_chars: 220,
      max_error_chars: 320,
      max_output_chars: 1000,
      max_context_chars: 12_000,
      max_waiting_messages: 20,
    },
    scheduler: {
      enabled: true,
      max_concurrent_jobs: 4,
      max_jobs: 1000,
      max_jobs_per_principal: 50,
      misfire_grace_ms: 60_000,
      history_per_job: 200,
    },
    secrets: {
      store_file: '.openclawssy/secrets.enc',
      master_key_file: '.openclawssy/master.key',
    },
    tools: {
      granted: [
        'fs.*',
        'code.search',
        'artifact.read',
        'time.now',
        'run.list',
        'run.get',
        'agent.list',
        'metrics.get',
        'decision.log',
        'session.list',
        'session.close',
        'agent.message.send',
        'agent.message.inbox',
        'scheduler.*',
        'secrets.list',
        'skill.read',
        'memory.search',
        'memory.write',
        'http.request',
        'shell.exec',
        'mcp__*',
      ],
      granted_to_principals: [],
      default_timeout_ms: 30_000,
      max_timeout_ms: 900_000,
      max_output_bytes: 65_536,
    },
    policy: { mode: 'full', rules: [], approval_ttl_ms: 3_600_000, rule_of_two: true },
    network: {
      enabled: false,
      allowed_domains: [],
      allow_localhosts: false,
      principal_secrets: [],
      idempotency_key_domains: [],
    },
    shell: { enable_exec: false, allowed_commands: [], ask_commands: [], denied_commands: [] },
    sandbox: { active: false, provider: 'none', docker_image: 'debian:stable-slim' },
    tool_reliability: { mode: 'off', keep_breakers: true, overrides: {} },
    mcpServers: {},
    integrations: {
      github: { base_url: 'https://api.github.com', secret_names: [] },
      resend: { base_url: 'https://api.resend.com', secret_names: [] },
      whatsapp_gateway: { test_path: '/health' },
      make: { base_url: 'https://eu1.make.com/api/v2' },
      chefos: { test_path: '/health' },
      timeout_ms: 10_000,
    },
    skills: { enabled: true, max_in_prompt: 20, trusted_keys: [] },
    memory: {
      ...{ recall: true, context_chars: 4_000, max_recalled: 8, run_notes: false },
      embedding: { provider: 'local', model: null, timeout_ms: 30_000, idle_ms: 60_000 },
      recall_timeout_ms: 2_000,
    },
    voice: {
      stt_provider: 'local',
      tts_provider: 'local',
      openai: { stt_model: 'whisper-1', tts_model: 'gpt-4o-mini-tts', voice: 'alloy' },
      elevenlabs: {
        base_url: 'https://api.elevenlabs.io',
        model: 'eleven_multilingual_v2',
        voice: null,
      },
      ...{ timeout_ms: 30_000, answer_timeout_ms: 120_000, idle_ms: 60_000 },
      ...{ output_dir: null, output_max_age_ms: 86_400_000 },
    },
    workers: {
      process: { enabled: false, commands: {}, max_processes: 64 },
      max_workers: 16,
      max_queued_requests: 128,
      request_timeout_ms: 15_000,
      heartbeat_stale_after_ms: 120_000,
      stop_grace_ms: 2000,
      max_events_per_worker: 100_000,
      retention_days: 30,
      forget_after_days: 365,
    },
    openclaw: {
      url: null,
      dialect: 'gateway',
      default_agent: 'main',
      token_secret: 'openclaw/token',
      password_secret: 'openclaw/password',
      allow_principals: false,
      allow_plaintext: false,
      connect_timeout_ms: 15_000,
      request_timeout_ms: 30_000,
      max_reconnects: 20,
    },
    projection: {
      sink: 'none',
      directory: '.openclawssy/projection',
      deploy_key_secret: 'projection/deploy_key',
      run_mutation: 'runtime:upsertRunSummary',
      worker_mutation: 'runtime:upsertCodexWorkerSummary',
      timeout_ms: 2500,
      interval_ms: 250,
      scan_ms: 60_000,
    },
    events: {
      retention_days: 0,
      retention_max_per_run: 0,
      retention_grace_ms: 3_600_000,
      janitor_interval_ms: 600_000,
    },
    workspace: { root: './workspace', per_principal: true },
    records: { audit_fsync_ms: 1000 },
    logging: { level: 'info', format: 'auto' },
  });
  expect(credentials.bearerToken).toBeUndefined();
  expect(workspaceDir).toBe(join(root, 'workspace'));
  expect(traces).toEqual({ enabled: false, serviceName: 'pincer' });
  expect(allowScriptedModel).toBe(false);
});
