import { createReadChecklist } from '../../../core/security/checklist.ts';
import type { ChecklistReading } from '../../../operations/security/security.ts';
import { askAt } from './ask-runtime.ts';
import type { Open } from './place.ts';

/** The installation itself, of which nothing is changed. */
const fromInstallation: Open<ChecklistReading> = async ({ parts, root, clock }) => {
  const diagnosis = await parts.diagnose(root);
  const readFacts = () => diagnosis.readSecurityFacts();
  return {
    deps: { readChecklist: createReadChecklist({ readFacts, clock }) },
    close: async () => {},
  };
};

export const askSecurity = askAt({ read: fromInstallation, write: fromInstallation });
