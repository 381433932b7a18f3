import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { createSigningKeyFile } from '../../storage/files/signing-key-file.ts';
import { openDatabase } from '../../storage/sqlite/open-database.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import type { JsonObject } from '../json.ts';
import { silentLogger } from '../log.ts';
import { OPERATOR } from '../principal.ts';
import type { SigningKey } from '../secrets/signing-key.ts';
import { listBundleFiles } from './bundle-files.ts';
import { signRelease } from './release-signature.ts';
import { compileBundle, type SkillBundle } from './skill-bundle.ts';
import { EXPORT_FORMAT, type SkillFolder } from './skill-folder.ts';
import { createReleaseContent, type SkillRelease } from './skill-release.ts';
import { createSkills, type SkillsDeps } from './skills.ts';

async function openSkills() {
  const root = await openTempRoot();
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(async () => {
    await storage.close();
    await root.remove();
  });
  const own = createSigningKeyFile({ file: join(root.path, 'key'), need: 'tests' });
  const other = await createSigningKeyFile({
    file: join(root.path, 'other-key'),
    need: 'tests',
  }).get();
  const clock = new ManualClock();
  const deps: SkillsDeps = {
    store: storage.skills,
    keys: {
      getOwn: () => own.get(),
      findOwn: () => own.find(),
      trusted: () => [other.publicKey],
    },
    clock,
    logger: silentLogger,
    settings: () => ({ isEnabled: true, maxInPrompt: 20 }),
  };
  /** Changes rows behind the program's back. */
  function alter(sql: string): void {
    const database = openDatabase({ file, readOnly: false });
    database.exec(sql);
    database.close();
  }
  return { ...createSkills(deps), beside: createSkills(deps), clock, other, alter };
}

const SPEC = {
  skill_id: 'tidy-up',
  version: 1,
  name: 'Tidy Up',
  description: 'Tidies up',
  instructions_markdown: 'Do it.',
};

const BY = 'user:1';

function folderOf(text: string): SkillFolder {
  return { files: [{ path: 'SKILL.md', content: text }], leftOut: [], exported: undefined };
}

const skillText = (body: string) => `---\nname: tidy-up\ndescription: Tidies up\n---\n${body}\n`;

/** As somebody else made and exported it, without the spec that it was made from. */
function exportOf(
  key: SigningKey,
  { bundle = compileBundle(SPEC, []), ...others }: Partial<SkillRelease> = {},
): SkillFolder {
  const made = { skillId: 'tidy-up', version: 1, bundle, publishedBy: 'user:9', nowMs: 0 };
  const release = signRelease({ ...createReleaseContent(made), ...others }, key);
  const exported = JSON.parse(JSON.stringify({ format: EXPORT_FORMAT, release })) as JsonObject;
  return { files: listBundleFiles(bundle), leftOut: [], exported };
}

test('a spec that compiles to more than can be read again is not published', async () => {
  const { registry, releases } = await openSkills();
  // Each level indents what is in it: a map of a few bytes becomes a page.
  let metadata: JsonObject = Object.fromEntries(
    Array.from({ length: 15_000 }, (_, at) => [`k${at}`, 1]),
  );
  for (let depth = 0; depth < 50; depth += 1) metadata = { a: metadata };
  await registry.put('skill', { document: { ...SPEC, metadata }, by: BY });

  const publishing = releases.publish({ skillId: 'tidy-up', version: 1, by: BY });

  await expect(publishing).rejects.toMatchObject({
    code: 'unprocessable',
    details: {
      problems: [
        {
          reason_code: 'skill_registry.invalid_schema',
          path: '',
          message: 'its release must not be larger than 851968 bytes',
        },
      ],
    },
  });
  expect(await releases.list()).toEqual([]);
});

test('a release that names another key than it carries was altered', async () => {
  const { registry, releases, alter } = await openSkills();
  await registry.put('skill', { document: SPEC, by: BY });
  const { signature } = await releases.publish({ skillId: 'tidy-up', version: 1, by: BY });
  alter(
    `UPDATE skill_releases SET document = replace(document, '${signature.key_id}', '0123456789abcdef')`,
  );

  const examined = await releases.examine('tidy-up', 1);

  expect(examined).toEqual({
    verdict: 'altered',
    reason: 'its key_id does not belong to its public_key',
  });
});

test('a release that was altered is told of again when it is mended', async () => {
  const { beside, shelf, clock, alter } = await openSkills();
  await beside.registry.put('skill', { document: SPEC, by: BY });
  await beside.releases.publish({ skillId: 'tidy-up', version: 1, by: BY });
  alter("UPDATE skill_releases SET document = replace(document, 'Do it.', 'Do evil.')");
  const altered = await shelf.listForPrompt(BY);
  alter("UPDATE skill_releases SET document = replace(document, 'Do evil.', 'Do it.')");
  clock.advance(5_000);

  const mended = await shelf.listForPrompt(BY);

  expect(altered).toEqual([]);
  expect(mended).toEqual([{ name: 'tidy-up', description: 'Tidies up' }]);
});

test('a release in the place of another was altered', async () => {
  const { registry, releases, alter } = await openSkills();
  await registry.put('skill', { document: SPEC, by: BY });
  await releases.publish({ skillId: 'tidy-up', version: 1, by: BY });
  alter("UPDATE skill_releases SET release_id = 'skillrel_000000000000000000000000'");

  const examined = await releases.examine('tidy-up', 1);

  expect(examined).toEqual({ verdict: 'altered', reason: 'it is another release' });
});

test('a folder does not get the version of a release that somebody else made', async () => {
  const { exchange, releases, other } = await openSkills();
  await exchange.install(exportOf(other), { by: OPERATOR, allowsUntrusted: false });

  const published = await exchange.publishFolder(folderOf(skillText('Do something else.')), {
    by: OPERATOR,
  });

  expect(published.version).toBe(2);
  expect((await releases.get('tidy-up', 1)).published_by).toBe('user:9');
});

test('another spec under the version of a release is refused, with and without a spec beside it', async () => {
  const { exchange, registry, releases, other } = await openSkills();
  await exchange.install(exportOf(other), { by: OPERATOR, allowsUntrusted: false });
  const builtIn = (await registry.list('skill')).find(({ id }) => id === 'github-coding');
  await releases.publish({ skillId: 'github-coding', version: 1, by: OPERATOR });
  const changed = { ...builtIn?.document, description: 'Something else' };

  const alone = registry.put('skill', { document: { ...SPEC, name: 'Other' }, by: OPERATOR });
  const replaced = registry.put('skill', { document: changed, by: OPERATOR });
  const same = registry.put('skill', { document: builtIn?.document ?? {}, by: OPERATOR });

  await expect(alone).rejects.toMatchObject({
    code: 'conflict',
    message: "skill spec tidy-up version 1 is published and can't change; publish a new version",
  });
  await expect(replaced).rejects.toMatchObject({ code: 'conflict' });
  expect((await same).state).toBe('published');
});

test('a folder is published as it was read, or not at all', async () => {
  const { exchange, registry, releases } = await openSkills();
  const publishing = exchange.publishFolder(folderOf(skillText('Do it.')), { by: BY, version: 1 });
  const competing = exchange.publishFolder(folderOf(skillText('Do the other.')), {
    by: BY,
    version: 1,
  });

  const outcomes = await Promise.allSettled([publishing, competing]);

  const kept = await releases.get('tidy-up', 1);
  const bodies = ['Do it.', 'Do the other.'];
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' });
    else expect(Object.values(outcome.value.bundle.files)[0]).toContain(bodies[at]);
  }
  expect(Object.values(kept.bundle.files)[0]).toMatch(/Do (?:it|the other)\./);
  expect(await registry.find({ kind: 'skill', id: 'tidy-up', version: 1 })).toMatchObject({
    state: 'published',
  });
});

test('a bundle whose release has no time is refused as none', async () => {
  const { exchange, other } = await openSkills();

  const installing = exchange.install(exportOf(other, { published_at: 'some day' }), {
    by: BY,
    allowsUntrusted: false,
  });

  await expect(installing).rejects.toMatchObject({
    code: 'unprocessable',
    message: 'the folder holds no exported skill release',
  });
});

test('however long somebody else describes a skill, a prompt holds a line of it', async () => {
  const { exchange, shelf, other } = await openSkills();
  const bundle: SkillBundle = {
    ...compileBundle(SPEC, []),
    files: { 'tidy-up/SKILL.md': `---\ndescription: ${'x'.repeat(5_000)}\n---\nDo it.\n` },
  };
  await exchange.install(exportOf(other, { bundle }), { by: BY, allowsUntrusted: false });

  const [line] = await shelf.listForPrompt('operator');

  expect(line?.description).toBe(`${'x'.repeat(1_023)}…`);
});
