import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { RuntimeError, toRuntimeError } from '../../core/errors.ts';
import { type ExportedSkill, toBytes } from '../../core/skills/exchange-skills.ts';
import { isSafePath } from '../../core/skills/skill-files.ts';
import { EXPORT_FILE } from '../../core/skills/skill-folder.ts';
import { errnoOf } from '../../platform/errno-of.ts';

/** Writes an exported skill as a folder: whole, or not at all. Nothing that is there is replaced. */
export async function writeSkillFolder(path: string, skill: ExportedSkill): Promise<string> {
  const folder = resolve(path);
  await assertFree(folder, path);
  const temporary = `${folder}.${randomUUID()}.tmp`;
  try {
    for (const file of skill.files) {
      // The bundle was checked when it was made; here a wrong path would write somewhere else.
      if (!isSafePath(file.path)) throw new RuntimeError('internal', `unsafe path ${file.path}`);
      const target = join(temporary, file.path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, toBytes(file), { flag: 'wx' });
    }
    const text = `${JSON.stringify(skill.exported, null, 2)}\n`;
    await writeFile(join(temporary, EXPORT_FILE), text, { flag: 'wx' });
    await rmdir(folder).catch(() => {});
    await rename(temporary, folder);
    return folder;
  } catch (thrown) {
    await rm(temporary, { recursive: true, force: true }).catch(() => {});
    throw toRuntimeError(thrown);
  }
}

async function assertFree(folder: string, path: string): Promise<void> {
  const names = await readdir(folder).catch((cause: unknown) => {
    if (errnoOf(cause) === 'ENOENT') return [];
    throw new RuntimeError('invalid_input', `${path} can't be written to (${errnoOf(cause)})`, {
      details: { target: path },
    });
  });
  if (names.length === 0) return;
  throw new RuntimeError('conflict', `folder ${path} is not empty`, {
    details: { target: path, hint: 'name a folder that does not exist yet' },
  });
}
