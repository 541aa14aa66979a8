import { describeInBrowser } from './browser.js';
import { badAnswers } from './pages/bad-answers.js';
import { changedMeanwhile } from './pages/changed-meanwhile.js';
import { whatIsGone } from './pages/gone.js';
import { keyboard } from './pages/keyboard.js';
import { lateAnswers } from './pages/late-answers.js';
import { repeatedUse } from './pages/repeated-use.js';
import { unsavedForms } from './pages/unsaved-forms.js';
import { zoomedPages } from './pages/zoomed-pages.js';

describeInBrowser('what two administrators change at once', changedMeanwhile);
describeInBrowser('what somebody has deleted', whatIsGone);
describeInBrowser('an answer that comes late', lateAnswers);
describeInBrowser('forms that are left half filled', unsavedForms);
describeInBrowser('repeated actions, and actions during a save', repeatedUse);
describeInBrowser('the focus of the keyboard', keyboard);
describeInBrowser('answers that cannot be used', badAnswers);
describeInBrowser('pages at another size or in other colors', zoomedPages);
