/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TraceLoggingProvider.h: a macro for each argument of a list, and the length of the list. */
#ifndef ETW_TL_LIST_H
#define ETW_TL_LIST_H

/* The preprocessor has no loop, so each length has its own macro. */

#define ETW_TL_CAT(a, b)	ETW_TL_CAT_(a, b)
#define ETW_TL_CAT_(a, b)	a##b
#define ETW_TL_UNWRAP(...)	__VA_ARGS__

/* The first argument; the "0" keeps the rest of the list from being empty */
#define ETW_TL_FIRST(...)	ETW_TL_FIRST_(__VA_ARGS__, 0)
#define ETW_TL_FIRST_(first, ...)	first

/* How many arguments there are: from 1 to 100, the name of an event and its 99 arguments */
#define ETW_TL_COUNT(...)									\
	ETW_TL_COUNT_(__VA_ARGS__,								\
	100, 99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82,		\
	81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63,		\
	62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44,		\
	43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25,		\
	24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5,		\
	4, 3, 2, 1, 0)
#define ETW_TL_COUNT_(										\
	_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17,		\
	_18, _19, _20, _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, _32,		\
	_33, _34, _35, _36, _37, _38, _39, _40, _41, _42, _43, _44, _45, _46, _47,		\
	_48, _49, _50, _51, _52, _53, _54, _55, _56, _57, _58, _59, _60, _61, _62,		\
	_63, _64, _65, _66, _67, _68, _69, _70, _71, _72, _73, _74, _75, _76, _77,		\
	_78, _79, _80, _81, _82, _83, _84, _85, _86, _87, _88, _89, _90, _91, _92,		\
	_93, _94, _95, _96, _97, _98, _99, _100, n, ...) n

/*
 * ETW_TL_EACH(op, name, x1, x2, ...): op(i, x1) op(i - 1, x2) ... The first
 * argument is left out, so that a list without arguments is no empty list.
 */
#define ETW_TL_EACH(op, ...)									\
	ETW_TL_CAT(ETW_TL_EACH_, ETW_TL_COUNT(__VA_ARGS__))(op, __VA_ARGS__)
#define ETW_TL_EACH_1(op, name)
#define ETW_TL_EACH_2(op, name, x)	op(1, x)
#define ETW_TL_EACH_3(op, name, x, ...)	op(2, x) ETW_TL_EACH_2(op, name, __VA_ARGS__)
#define ETW_TL_EACH_4(op, name, x, ...)	op(3, x) ETW_TL_EACH_3(op, name, __VA_ARGS__)
#define ETW_TL_EACH_5(op, name, x, ...)	op(4, x) ETW_TL_EACH_4(op, name, __VA_ARGS__)
#define ETW_TL_EACH_6(op, name, x, ...)	op(5, x) ETW_TL_EACH_5(op, name, __VA_ARGS__)
#define ETW_TL_EACH_7(op, name, x, ...)	op(6, x) ETW_TL_EACH_6(op, name, __VA_ARGS__)
#define ETW_TL_EACH_8(op, name, x, ...)	op(7, x) ETW_TL_EACH_7(op, name, __VA_ARGS__)
#define ETW_TL_EACH_9(op, name, x, ...)	op(8, x) ETW_TL_EACH_8(op, name, __VA_ARGS__)
#define ETW_TL_EACH_10(op, name, x, ...)	op(9, x) ETW_TL_EACH_9(op, name, __VA_ARGS__)
#define ETW_TL_EACH_11(op, name, x, ...)	op(10, x) ETW_TL_EACH_10(op, name, __VA_ARGS__)
#define ETW_TL_EACH_12(op, name, x, ...)	op(11, x) ETW_TL_EACH_11(op, name, __VA_ARGS__)
#define ETW_TL_EACH_13(op, name, x, ...)	op(12, x) ETW_TL_EACH_12(op, name, __VA_ARGS__)
#define ETW_TL_EACH_14(op, name, x, ...)	op(13, x) ETW_TL_EACH_13(op, name, __VA_ARGS__)
#define ETW_TL_EACH_15(op, name, x, ...)	op(14, x) ETW_TL_EACH_14(op, name, __VA_ARGS__)
#define ETW_TL_EACH_16(op, name, x, ...)	op(15, x) ETW_TL_EACH_15(op, name, __VA_ARGS__)
#define ETW_TL_EACH_17(op, name, x, ...)	op(16, x) ETW_TL_EACH_16(op, name, __VA_ARGS__)
#define ETW_TL_EACH_18(op, name, x, ...)	op(17, x) ETW_TL_EACH_17(op, name, __VA_ARGS__)
#define ETW_TL_EACH_19(op, name, x, ...)	op(18, x) ETW_TL_EACH_18(op, name, __VA_ARGS__)
#define ETW_TL_EACH_20(op, name, x, ...)	op(19, x) ETW_TL_EACH_19(op, name, __VA_ARGS__)
#define ETW_TL_EACH_21(op, name, x, ...)	op(20, x) ETW_TL_EACH_20(op, name, __VA_ARGS__)
#define ETW_TL_EACH_22(op, name, x, ...)	op(21, x) ETW_TL_EACH_21(op, name, __VA_ARGS__)
#define ETW_TL_EACH_23(op, name, x, ...)	op(22, x) ETW_TL_EACH_22(op, name, __VA_ARGS__)
#define ETW_TL_EACH_24(op, name, x, ...)	op(23, x) ETW_TL_EACH_23(op, name, __VA_ARGS__)
#define ETW_TL_EACH_25(op, name, x, ...)	op(24, x) ETW_TL_EACH_24(op, name, __VA_ARGS__)
#define ETW_TL_EACH_26(op, name, x, ...)	op(25, x) ETW_TL_EACH_25(op, name, __VA_ARGS__)
#define ETW_TL_EACH_27(op, name, x, ...)	op(26, x) ETW_TL_EACH_26(op, name, __VA_ARGS__)
#define ETW_TL_EACH_28(op, name, x, ...)	op(27, x) ETW_TL_EACH_27(op, name, __VA_ARGS__)
#define ETW_TL_EACH_29(op, name, x, ...)	op(28, x) ETW_TL_EACH_28(op, name, __VA_ARGS__)
#define ETW_TL_EACH_30(op, name, x, ...)	op(29, x) ETW_TL_EACH_29(op, name, __VA_ARGS__)
#define ETW_TL_EACH_31(op, name, x, ...)	op(30, x) ETW_TL_EACH_30(op, name, __VA_ARGS__)
#define ETW_TL_EACH_32(op, name, x, ...)	op(31, x) ETW_TL_EACH_31(op, name, __VA_ARGS__)
#define ETW_TL_EACH_33(op, name, x, ...)	op(32, x) ETW_TL_EACH_32(op, name, __VA_ARGS__)
#define ETW_TL_EACH_34(op, name, x, ...)	op(33, x) ETW_TL_EACH_33(op, name, __VA_ARGS__)
#define ETW_TL_EACH_35(op, name, x, ...)	op(34, x) ETW_TL_EACH_34(op, name, __VA_ARGS__)
#define ETW_TL_EACH_36(op, name, x, ...)	op(35, x) ETW_TL_EACH_35(op, name, __VA_ARGS__)
#define ETW_TL_EACH_37(op, name, x, ...)	op(36, x) ETW_TL_EACH_36(op, name, __VA_ARGS__)
#define ETW_TL_EACH_38(op, name, x, ...)	op(37, x) ETW_TL_EACH_37(op, name, __VA_ARGS__)
#define ETW_TL_EACH_39(op, name, x, ...)	op(38, x) ETW_TL_EACH_38(op, name, __VA_ARGS__)
#define ETW_TL_EACH_40(op, name, x, ...)	op(39, x) ETW_TL_EACH_39(op, name, __VA_ARGS__)
#define ETW_TL_EACH_41(op, name, x, ...)	op(40, x) ETW_TL_EACH_40(op, name, __VA_ARGS__)
#define ETW_TL_EACH_42(op, name, x, ...)	op(41, x) ETW_TL_EACH_41(op, name, __VA_ARGS__)
#define ETW_TL_EACH_43(op, name, x, ...)	op(42, x) ETW_TL_EACH_42(op, name, __VA_ARGS__)
#define ETW_TL_EACH_44(op, name, x, ...)	op(43, x) ETW_TL_EACH_43(op, name, __VA_ARGS__)
#define ETW_TL_EACH_45(op, name, x, ...)	op(44, x) ETW_TL_EACH_44(op, name, __VA_ARGS__)
#define ETW_TL_EACH_46(op, name, x, ...)	op(45, x) ETW_TL_EACH_45(op, name, __VA_ARGS__)
#define ETW_TL_EACH_47(op, name, x, ...)	op(46, x) ETW_TL_EACH_46(op, name, __VA_ARGS__)
#define ETW_TL_EACH_48(op, name, x, ...)	op(47, x) ETW_TL_EACH_47(op, name, __VA_ARGS__)
#define ETW_TL_EACH_49(op, name, x, ...)	op(48, x) ETW_TL_EACH_48(op, name, __VA_ARGS__)
#define ETW_TL_EACH_50(op, name, x, ...)	op(49, x) ETW_TL_EACH_49(op, name, __VA_ARGS__)
#define ETW_TL_EACH_51(op, name, x, ...)	op(50, x) ETW_TL_EACH_50(op, name, __VA_ARGS__)
#define ETW_TL_EACH_52(op, name, x, ...)	op(51, x) ETW_TL_EACH_51(op, name, __VA_ARGS__)
#define ETW_TL_EACH_53(op, name, x, ...)	op(52, x) ETW_TL_EACH_52(op, name, __VA_ARGS__)
#define ETW_TL_EACH_54(op, name, x, ...)	op(53, x) ETW_TL_EACH_53(op, name, __VA_ARGS__)
#define ETW_TL_EACH_55(op, name, x, ...)	op(54, x) ETW_TL_EACH_54(op, name, __VA_ARGS__)
#define ETW_TL_EACH_56(op, name, x, ...)	op(55, x) ETW_TL_EACH_55(op, name, __VA_ARGS__)
#define ETW_TL_EACH_57(op, name, x, ...)	op(56, x) ETW_TL_EACH_56(op, name, __VA_ARGS__)
#define ETW_TL_EACH_58(op, name, x, ...)	op(57, x) ETW_TL_EACH_57(op, name, __VA_ARGS__)
#define ETW_TL_EACH_59(op, name, x, ...)	op(58, x) ETW_TL_EACH_58(op, name, __VA_ARGS__)
#define ETW_TL_EACH_60(op, name, x, ...)	op(59, x) ETW_TL_EACH_59(op, name, __VA_ARGS__)
#define ETW_TL_EACH_61(op, name, x, ...)	op(60, x) ETW_TL_EACH_60(op, name, __VA_ARGS__)
#define ETW_TL_EACH_62(op, name, x, ...)	op(61, x) ETW_TL_EACH_61(op, name, __VA_ARGS__)
#define ETW_TL_EACH_63(op, name, x, ...)	op(62, x) ETW_TL_EACH_62(op, name, __VA_ARGS__)
#define ETW_TL_EACH_64(op, name, x, ...)	op(63, x) ETW_TL_EACH_63(op, name, __VA_ARGS__)
#define ETW_TL_EACH_65(op, name, x, ...)	op(64, x) ETW_TL_EACH_64(op, name, __VA_ARGS__)
#define ETW_TL_EACH_66(op, name, x, ...)	op(65, x) ETW_TL_EACH_65(op, name, __VA_ARGS__)
#define ETW_TL_EACH_67(op, name, x, ...)	op(66, x) ETW_TL_EACH_66(op, name, __VA_ARGS__)
#define ETW_TL_EACH_68(op, name, x, ...)	op(67, x) ETW_TL_EACH_67(op, name, __VA_ARGS__)
#define ETW_TL_EACH_69(op, name, x, ...)	op(68, x) ETW_TL_EACH_68(op, name, __VA_ARGS__)
#define ETW_TL_EACH_70(op, name, x, ...)	op(69, x) ETW_TL_EACH_69(op, name, __VA_ARGS__)
#define ETW_TL_EACH_71(op, name, x, ...)	op(70, x) ETW_TL_EACH_70(op, name, __VA_ARGS__)
#define ETW_TL_EACH_72(op, name, x, ...)	op(71, x) ETW_TL_EACH_71(op, name, __VA_ARGS__)
#define ETW_TL_EACH_73(op, name, x, ...)	op(72, x) ETW_TL_EACH_72(op, name, __VA_ARGS__)
#define ETW_TL_EACH_74(op, name, x, ...)	op(73, x) ETW_TL_EACH_73(op, name, __VA_ARGS__)
#define ETW_TL_EACH_75(op, name, x, ...)	op(74, x) ETW_TL_EACH_74(op, name, __VA_ARGS__)
#define ETW_TL_EACH_76(op, name, x, ...)	op(75, x) ETW_TL_EACH_75(op, name, __VA_ARGS__)
#define ETW_TL_EACH_77(op, name, x, ...)	op(76, x) ETW_TL_EACH_76(op, name, __VA_ARGS__)
#define ETW_TL_EACH_78(op, name, x, ...)	op(77, x) ETW_TL_EACH_77(op, name, __VA_ARGS__)
#define ETW_TL_EACH_79(op, name, x, ...)	op(78, x) ETW_TL_EACH_78(op, name, __VA_ARGS__)
#define ETW_TL_EACH_80(op, name, x, ...)	op(79, x) ETW_TL_EACH_79(op, name, __VA_ARGS__)
#define ETW_TL_EACH_81(op, name, x, ...)	op(80, x) ETW_TL_EACH_80(op, name, __VA_ARGS__)
#define ETW_TL_EACH_82(op, name, x, ...)	op(81, x) ETW_TL_EACH_81(op, name, __VA_ARGS__)
#define ETW_TL_EACH_83(op, name, x, ...)	op(82, x) ETW_TL_EACH_82(op, name, __VA_ARGS__)
#define ETW_TL_EACH_84(op, name, x, ...)	op(83, x) ETW_TL_EACH_83(op, name, __VA_ARGS__)
#define ETW_TL_EACH_85(op, name, x, ...)	op(84, x) ETW_TL_EACH_84(op, name, __VA_ARGS__)
#define ETW_TL_EACH_86(op, name, x, ...)	op(85, x) ETW_TL_EACH_85(op, name, __VA_ARGS__)
#define ETW_TL_EACH_87(op, name, x, ...)	op(86, x) ETW_TL_EACH_86(op, name, __VA_ARGS__)
#define ETW_TL_EACH_88(op, name, x, ...)	op(87, x) ETW_TL_EACH_87(op, name, __VA_ARGS__)
#define ETW_TL_EACH_89(op, name, x, ...)	op(88, x) ETW_TL_EACH_88(op, name, __VA_ARGS__)
#define ETW_TL_EACH_90(op, name, x, ...)	op(89, x) ETW_TL_EACH_89(op, name, __VA_ARGS__)
#define ETW_TL_EACH_91(op, name, x, ...)	op(90, x) ETW_TL_EACH_90(op, name, __VA_ARGS__)
#define ETW_TL_EACH_92(op, name, x, ...)	op(91, x) ETW_TL_EACH_91(op, name, __VA_ARGS__)
#define ETW_TL_EACH_93(op, name, x, ...)	op(92, x) ETW_TL_EACH_92(op, name, __VA_ARGS__)
#define ETW_TL_EACH_94(op, name, x, ...)	op(93, x) ETW_TL_EACH_93(op, name, __VA_ARGS__)
#define ETW_TL_EACH_95(op, name, x, ...)	op(94, x) ETW_TL_EACH_94(op, name, __VA_ARGS__)
#define ETW_TL_EACH_96(op, name, x, ...)	op(95, x) ETW_TL_EACH_95(op, name, __VA_ARGS__)
#define ETW_TL_EACH_97(op, name, x, ...)	op(96, x) ETW_TL_EACH_96(op, name, __VA_ARGS__)
#define ETW_TL_EACH_98(op, name, x, ...)	op(97, x) ETW_TL_EACH_97(op, name, __VA_ARGS__)
#define ETW_TL_EACH_99(op, name, x, ...)	op(98, x) ETW_TL_EACH_98(op, name, __VA_ARGS__)
#define ETW_TL_EACH_100(op, name, x, ...)	op(99, x) ETW_TL_EACH_99(op, name, __VA_ARGS__)

#endif /* ETW_TL_LIST_H */
