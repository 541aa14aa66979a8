import { memoryStorage } from './memory-storage.js';
import { storageContract } from './storage.testing.js';

describe('in the memory', () => storageContract(async () => memoryStorage()));
