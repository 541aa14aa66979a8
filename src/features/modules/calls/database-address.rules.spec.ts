import { databaseAddressIn } from './database-address.rules.js';

describe('databaseAddressIn', () => {
  it.each([
    ['postgresql://ada:secret@db.example.com/shop', 'postgresql://db.example.com:5432/'],
    ['postgres://db.example.com:6432/shop?sslmode=require', 'postgres://db.example.com:6432/'],
    ['postgresql://[2001:db8::1]/shop', 'postgresql://[2001:db8::1]:5432/'],
  ])('says where %s leads', (text, address) => expect(databaseAddressIn(text)?.href).toBe(address));

  it.each([
    'a password',
    'mysql://db.example.com/shop',
    'postgresql:///shop',
    'postgresql://db.example.com/shop?host=elsewhere',
    'postgresql://db.example.com/shop?hostaddr=10.0.0.1',
    'postgresql://db.example.com/shop?sslmode=require&port=1',
  ])('takes %s for none', (text) => expect(databaseAddressIn(text)).toBeNull());
});
